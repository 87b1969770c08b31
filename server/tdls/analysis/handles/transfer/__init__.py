"""Transfer functions of the abstract run: the effect of each kind of script operation on payload sets."""
