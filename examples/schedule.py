"""A schedule that is a string of a program: tdls reads it here, and executes nothing."""

SCHEDULE = """
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op) {{
    %matmul = transform.structured.match ops{{["linalg.matmul"]}} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [{size}]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %matmul : !transform.any_op
    transform.yield
  }}
}}
"""


def schedule(size: int) -> str:
    """Return the schedule for tiles of `size` rows."""
    return SCHEDULE.format(size=size)
