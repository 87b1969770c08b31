"""What is known of the payload operations that handles stand for."""
