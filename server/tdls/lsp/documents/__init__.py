"""Documents that the editor has open: their versions, their lanes, and when they are checked."""
