"""What the server knows while it runs: open documents and their lanes, files, and what runs said about them."""
