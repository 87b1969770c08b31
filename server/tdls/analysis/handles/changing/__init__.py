"""What scripts change about the payload, and where that leaves what handles stand for."""
