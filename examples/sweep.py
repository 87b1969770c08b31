"""Run a schedule with each combination of its knobs, and print the loops, or what a combination does not satisfy.

Needs MLIR: ``pip install torch-mlir``.
"""

from itertools import product
from pathlib import Path

from tdls import Session

FOLDER = Path(__file__).parent
SCHEDULE = (FOLDER / "knobs.mlir").read_text(encoding="utf-8")

with Session(FOLDER / "matmul.mlir") as session:
    for rows, columns in product((4, 8, 16, 32, 64), (8, 12, 16, 32, 48)):
        try:
            attempt = session.run(SCHEDULE, choices={"rows": rows, "columns": columns})
            print(f"{rows:2} x {columns:2}  {attempt.state.summary if attempt.state else attempt.reason}")
        except ValueError as error:
            print(f"{rows:2} x {columns:2}  {error}")
