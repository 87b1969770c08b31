"""What operations of scripts do, as far as their definitions and texts say."""
