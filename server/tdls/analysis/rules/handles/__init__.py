"""Rules about handles and what they stand for (TD3xx)."""
