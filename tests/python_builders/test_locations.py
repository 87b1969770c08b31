"""Calls in the locations that MLIR prints."""

from __future__ import annotations

import pytest

from tdls.python_builders.locations import PrintedStacks
from tdls.python_builders.model import Frame

LOCATED = """\
#loc = loc("/w/a.py":12:17 to :35)
#loc1 = loc("/w/b c.py":4:8 to 6:21)
#loc2 = loc("f"(#loc))
#loc3 = loc("<module>"(#loc1))
#loc4 = loc(callsite(#loc2 at #loc3))
#loc5 = loc(callsite("g.<locals>.<lambda>"("/w/c.py":3:0 to :4) at #loc4))
#loc6 = loc(#loc6)
"""
A = Frame("/w/a.py", "f", 12, 17, 12, 35)
B = Frame("/w/b c.py", "<module>", 4, 8, 6, 21)
C = Frame("/w/c.py", "g.<locals>.<lambda>", 3, 0, 3, 4)


@pytest.mark.parametrize(
    ("location", "frames"),
    [
        ("#loc4", (A, B)),
        ("#loc5", (C, A, B)),
        ('callsite("f"("/w/a.py":12:17 to :35) at "<module>"("/w/b c.py":4:8 to 6:21))', (A, B)),
        ('"/w/a.py":12:0', (Frame("/w/a.py", "", 12),)),
        ('"/w/a.py":12:3', (Frame("/w/a.py", "", 12, 3),)),
        (r'"/w/\22\\.py":1:2', (Frame('/w/"\\.py', "", 1, 2),)),
        ("fused[#loc2, #loc3]", (A,)),
        ('fused<"made by">[#loc, #loc3]', (A._replace(function=""),)),
        ("unknown", ()),
        ("#loc6", ()),
        ("#loc99", ()),
        ('callsite("unclosed', ()),
    ],
)
def test_calls_are_read_from_the_innermost_outward(location: str, frames: tuple[Frame, ...]) -> None:
    printed = PrintedStacks(LOCATED)
    assert printed.stack(location) == frames
    assert printed.stack_behind(f"loc({location})") == frames
