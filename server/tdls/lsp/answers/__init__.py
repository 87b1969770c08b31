"""LSP values shared by several answers: locations, workspace edits and diagnostics."""
