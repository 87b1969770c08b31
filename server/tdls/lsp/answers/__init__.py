"""What several answers are made of, as the protocol has it: links, edits, findings and tokens."""
