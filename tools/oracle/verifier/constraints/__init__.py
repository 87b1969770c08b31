"""Every static constraint that the definitions of transform operations state, each violated in valid instances."""
