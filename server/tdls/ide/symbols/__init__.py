"""What files define that has a name: outlines, and symbols of the workspace."""
