"""Any transform operation in a form that the facts lack costs no finding about handles and adds no error."""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

from facts.instances import instances
from oracle.tools import run
from samples import every
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules import all_rules
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.source import MemorySource
from tdls.structs import replace
from tdls.text.level import Level
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from preparation.reporting import Compared

UPSTREAM = Catalogue.shipped()
VERSION = 22
HANDLE = "!transform.any_op"
ABOUT_HANDLES = {rule.name for rule in all_rules() if rule.code.startswith("TD3")}
SEQUENCE = re.compile(
    r" *transform\.named_sequence @wrapper\((.*?)\) \{\n(.*)    transform\.yield ?\n  \}\n\}", re.DOTALL
)
RESULTS = re.compile(r" *%(\w+)(?::(\d+))?((?:, %\w+)*) = ")
NEIGHBOUR = f"""\
  transform.named_sequence @neighbour(%root: {HANDLE} {{transform.consumed}}) {{
    %new = transform.apply_registered_pass "cse" to %root : ({HANDLE}) -> {HANDLE}
    transform.annotate %root "used" : {HANDLE}
    transform.yield
  }}
"""

Seen = set[tuple[str, int]]
"""Rules of findings with their lines."""


@cache
def modules() -> list[tuple[str, str]]:
    """Operations that LLVM 22 prints, each in a module that uses consumed handles."""
    require_mlir_opt(VERSION)
    made = []
    for name in UPSTREAM.operation_names("transform"):
        definition = next((known for known in UPSTREAM.variants(name) if VERSION in known.versions), None)
        if definition is not None:
            made += [(name, each) for each in (*instances(definition, 0)[:1], *instances(definition, 1)[:12])]
    printed = run([each.wrapped for _, each in made], "--allow-unregistered-dialect", major=VERSION)
    read = [(name, outcome.text) for (name, _), outcome in zip(made, printed, strict=True) if outcome.text is not None]
    kept = [(name, script(text)) for name, group in groupby(read, lambda pair: pair[0]) for _, text in [*group][-2:]]
    return kept[:: every(1)]


def script(text: str) -> str:
    found = SEQUENCE.search(text)
    assert found is not None, text
    arguments = [argument.split(": ") for argument in found[1].split(", ")]
    spelled = ", ".join(
        f"{name}: {type_}" + ("" if "param" in type_ else " {transform.consumed}") for name, type_ in arguments
    )
    handles = [name for name, type_ in arguments if type_ == HANDLE and re.search(rf"{name}\b", found[2])]
    before = text[: found.start()].replace("\n}\n", "")
    sections = [
        f"  transform.named_sequence @test{number}({spelled}) {{\n{body}    transform.yield\n  }}\n"
        for number, body in enumerate(bodies(found[2], handles, results(found[2])))
    ]
    return f"{before}{''.join(sections)}{NEIGHBOUR}}}\n"


def results(body: str) -> list[str]:
    found = RESULTS.match(body)
    if found is None:
        return []
    if found[2]:
        return [f"%{found[1]}#{number}" for number in range(int(found[2]))]
    return [f"%{found[1]}", *found[3].replace(",", "").split()]


def bodies(body: str, operands: list[str], made: list[str]) -> Iterator[str]:
    """Bodies of sequences: uses of operands, of results after the operands went, and of operands after the results."""
    yield body + "".join(map(used, operands))
    for operand in operands if made else ():
        yield body + consumed(operand) + "".join(map(used, made))
    if made:
        yield body + "".join(map(consumed, made)) + "".join(map(used, operands))


def used(handle: str) -> str:
    return f'    transform.annotate {handle} "used" : {HANDLE}\n'


def consumed(handle: str) -> str:
    name = f"%after_{handle[1:].replace('#', '_')}"
    return f'    {name} = transform.apply_registered_pass "cse" to {handle} : ({HANDLE}) -> {HANDLE}\n'


def without_format(name: str) -> Catalogue:
    variants = [replace(known, assembly_format=None, format_known=False) for known in UPSTREAM.variants(name)]
    return Catalogue([*UPSTREAM.sources, MemorySource("test", operations=variants)])


def seen(text: str, catalogue: Catalogue, *, possible: bool = True) -> tuple[Seen, Seen]:
    """Findings about handles, any rule of them by the same name, with the possible ones or without, and errors."""
    found = list(findings_in_file(SourceFile.of(text, catalogue)))
    lines = [(finding, text.count("\n", 0, finding.span.start)) for finding in found]
    about_handles = {
        ("handle", line)
        for finding, line in lines
        if finding.rule in ABOUT_HANDLES and (possible or finding.level is not Level.HINT)
    }
    return about_handles, {(finding.rule, line) for finding, line in lines if finding.level is Level.ERROR}


def test_the_form_of_any_operation_may_be_unknown(compared: Compared) -> None:
    compared("operations in unknown forms", len(modules()))
    lost, added = {}, {}
    for name, text in modules():
        handles, errors = seen(text, UPSTREAM)
        left, now = seen(text, without_format(name))
        if missing := handles - left:
            lost[name] = (missing, text)
        if more := now - errors:
            added[name] = (more, text)
    assert lost == {}
    assert added == {}


def test_an_unknown_keyword_behind_any_operation_is_one_error(compared: Compared) -> None:
    compared("operations with an unknown keyword", len(modules()))
    wrong = {}
    for name, text in modules():
        line = re.search(rf"^.*{re.escape(name)}\b.*[^{{\n]$", text, re.MULTILINE)
        if line is None:
            continue
        catalogue, changed = UPSTREAM, text.replace(line[0], f"{line[0]} later_keyword")
        # Behind a form that is not read to its end, other handles to the same payload are not suspected.
        (handles, errors), (left, now) = seen(text, catalogue, possible=False), seen(changed, catalogue)
        places = {number for number, each in enumerate(changed.splitlines()) if each.endswith("later_keyword")}
        if (name not in _BY_TEXT_ONLY and handles - left) or {line for _, line in now - errors} - places:
            wrong[name] = (handles - left, now - errors, changed)
    assert wrong == {}


_BY_TEXT_ONLY = {
    "transform.collect_matching",
    "transform.include",
    "transform.structured.continuous_tile_sizes",
    "transform.structured.lower_pack",
    "transform.structured.lower_unpack",
    "transform.structured.multitile_sizes",
    "transform.tune.alternatives",
}
"""Operations whose definitions do not tell of which kind their results are: types of broken text are not used."""
