"""Rules about handles and their payload (TD3xx)."""
