"""What is wrong with a script: rules, and the analyses behind them."""
