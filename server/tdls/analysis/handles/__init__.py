"""What handles stand for, without a payload: an abstract run of a script that knows how sets of payload operations lie
to each other, and so which handles an operation invalidates besides those that it consumes."""
