"""The grammars of `grammar/`, and the parsers that lark makes of them."""
