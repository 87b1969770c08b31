"""Abstract interpretation of handles: runs a script without a payload, tracks how the payload sets of handles relate
to each other, and so finds the handles that an operation invalidates in addition to those that it consumes."""
