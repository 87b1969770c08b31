"""The LSP server: one thin adapter per method over the features of `ide`. The only importer of pygls and lsprotocol."""
