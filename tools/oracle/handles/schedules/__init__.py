"""Long schedules, grown operation by operation with the interpreter in the loop, and findings about their handles."""
