"""A request as backends carry it out, and what a backend is."""
