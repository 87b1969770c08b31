"""Long schedules, grown operation by operation with the interpreter in the loop, and what is said of their handles."""
