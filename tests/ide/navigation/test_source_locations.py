"""Locations of payload, as dumps of Triton and JAX have them: what each part of the text came from."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from ide.with_cursor import URI, parse_cursor, snapshot_of
from tdls.ide.cursor.source_locations import location_links, origin_of_definition, source_trace, trace_text

DUMP = r"""#loc = loc("kernel.py":5:0)
#unknown = loc(unknown)
#inner = loc("kernel.py":7:10)
#named = loc("dot"(#inner))
#circle = loc("again"(#circle))
module {
  tt.func @add(%ptr: !tt.ptr<f32> loc("kernel.py":5:3), %n: i32 {tt.divisibility = 16 : i32} loc(#late)) {
    %pid = tt.get_program_id x : i32 loc(#named)
    %sum, %more = tt.pair %pid, %n : i32, i32 loc(callsite(#inner at "main.py":3:2))
    scf.for %i = %pid to %n step %n : i32 {
      "tt.use"(%sum) {note = "loc(1)"} : (i32) -> () loc(fused<"pass">[#named, "C:\\x\\caf\C3\A9.py":1:2 to :9])
    } loc("loop")
    tt.print "\22x\22":1:2 : i32
    tt.return loc(#unknown)
  } loc(#loc)
} loc(#loc)
#late = loc("kernel.py":6:10)
"""


def origins(marked: str) -> str:
    """What the entity at the cursor came from: its text, then names and positions."""
    text, offset = parse_cursor(marked)
    trace = source_trace(snapshot_of(text), URI, offset)
    if trace is None:
        return "nothing"
    return " | ".join([text[trace.span.start : trace.span.end], *trace.names, *map(str, trace.locations)])


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("tt.$0get_program_id", "tt.get_program_id | dot | kernel.py:7:10"),
        ("%p$0id = tt", "%pid | dot | kernel.py:7:10"),
        ("tt.pair %p$0id", "%pid | dot | kernel.py:7:10"),
        ("%m$0ore =", "%more | kernel.py:7:10 | main.py:3:2"),
        ("tt.f$0unc", "tt.func | kernel.py:5:0"),
        ("%p$0tr: !tt", "%ptr | kernel.py:5:3"),
        ("%n$0: i32 {tt", "%n | kernel.py:6:10"),
        ("scf.f$0or", "scf.for | loop"),
        ('"tt.u$0se"', '"tt.use" | dot | kernel.py:7:10 | C:\\x\\café.py:1:2'),
        ("loc(#na$0med)", "#named | dot | kernel.py:7:10"),
        ("#na$0med = loc", "#named | dot | kernel.py:7:10"),
        ("callsite(#in$0ner at", "#inner | kernel.py:7:10"),
        ("call$0site(#inner at", "callsite | kernel.py:7:10 | main.py:3:2"),
        ('at "ma$0in.py":3:2', '"main.py" | main.py:3:2'),
        ('"main.py":$03:2', '"main.py" | main.py:3:2'),
        ('loc("do$0t"(#inner))', '"dot" | dot | kernel.py:7:10'),
        ("fu$0sed<", "fused | dot | kernel.py:7:10 | C:\\x\\café.py:1:2"),
        ("#cir$0cle = loc", "#circle | again"),
        ("tt.re$0turn", "nothing"),
        ("tt.pr$0int", "nothing"),
        ('{no$0te = "loc(1)"}', "nothing"),
    ],
)
def test_origin_of_each_part(at: str, expected: str) -> None:
    before, _, after = at.partition("$0")
    assert DUMP.count(before + after) >= 1
    assert origins(DUMP.replace(before + after, at, 1)) == expected


def test_definition_of_a_use_is_the_value() -> None:
    text, offset = parse_cursor(DUMP.replace("tt.pair %pid", "tt.pair %p$0id"))
    assert origin_of_definition(snapshot_of(text), URI, offset) == ()


def test_paths_that_are_known_are_links() -> None:
    def resolve(path: str) -> PurePosixPath | None:
        return PurePosixPath("/a b", path) if path == "kernel.py" else None

    snapshot = snapshot_of(DUMP)
    links = location_links(snapshot, URI, resolve)
    assert [f"{link.target}:{link.location.line}" for link in links] == [f"/a b/kernel.py:{n}" for n in (5, 7, 5, 6)]
    assert {DUMP[link.span.start : link.span.end] for link in links} == {'"kernel.py"'}
    trace = source_trace(snapshot, URI, DUMP.index("%more"))
    assert trace is not None
    shown = "- `kernel.py:7:10` ([open](file:///a%20b/kernel.py#L7))\n- `main.py:3:2`"
    assert trace_text(trace, resolve) == f"**From**\n\n{shown}"


def test_many_aliases_end() -> None:
    chain = "".join(f'#l{n} = loc("f.py":{n}:1)\n#c{n + 1} = loc(callsite(#l{n} at #c{n}))\n' for n in range(1, 500))
    assert "f.py:499:1" in origins(f'{chain}"x"() : () -> () lo$0c(#c500)\n')
