"""Rules, and the analyses behind them, which find errors in scripts."""
