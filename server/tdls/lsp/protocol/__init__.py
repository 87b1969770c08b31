"""Between plain data and the protocol's types: places, links, edits, findings and tokens."""
