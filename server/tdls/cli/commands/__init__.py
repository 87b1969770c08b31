"""The commands of ``tdls``, one module each, which define ``command``."""
