"""The scripts of the corpus, which the ``.mlir`` files in this folder abbreviate.

A file is a family of scripts, its parts are separated by ``// -----``. A part begins with comments:

- ``// payload NAME``: the part is a payload that others name;
- any other words: the name of the script;
- ``// on: NAME``: its payload, or ``// on: NAME | NAME`` for a script on each of them;
- ``// $word: A | B``: two scripts, with A and with B in the place of every ``$word``; `nothing` stands for no text;
- ``// root: consumed``: the entry point consumes its argument;
- ``// apart``: the payload is a file of its own;
- ``// library: NAME``: a payload that is preloaded as a library;
- ``// entry: NAME`` and ``// options: NAME=VALUE ...``: options of the interpreter.

The rest is the body of ``@__transform_main``, whose argument is ``%root``. Where a line ``// script`` divides the rest,
the payload stands before it; a line ``// patterns`` does the same for the body of ``transform.apply_patterns``, which
is applied to all functions. A rest that holds named sequences is the contents of a module, and one that begins with
``module`` or has a comment ``// whole`` is a whole file. The aliases of `_ALIASES` are known everywhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOLDER = Path(__file__).parent
_PART = re.compile(r"^// -----\n", re.MULTILINE)
_DIRECTIVE = re.compile(r"// (?P<key>on|root|library|entry|options|\$\w+): (?P<value>.*)")
_BODY = re.compile(r"^ *// (?P<kind>script|patterns)\n", re.MULTILINE)
_ALIASES = """\
!any = !transform.any_op
!value = !transform.any_value
!param = !transform.param<i64>
"""
_DEFAULT_ENTRY = "__transform_main"
_PATTERNS = """\
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.apply_patterns to %functions {
$body} : !any
"""


@dataclass(frozen=True)
class Script:
    """A script and all that it takes to run it; `name` is unique. The texts are whole files."""

    name: str
    text: str
    payload: str | None = None
    libraries: tuple[str, ...] = ()
    entry_point: str = _DEFAULT_ENTRY
    options: tuple[tuple[str, str], ...] = ()


@cache
def scripts() -> tuple[Script, ...]:
    """Return the corpus. Raises ValueError where a file is not written as it should be."""
    found = tuple(script for path in sorted(_FOLDER.glob("*.mlir")) for script in read(path))
    names = [script.name for script in found]
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise ValueError(f"several scripts have the same name: {sorted(repeated)}")
    return found


def read(path: Path) -> list[Script]:
    """Return the scripts of a file, which may be about the payloads of the corpus."""
    return [script for part in _parts(path) if not part.is_payload for script in _variants(part, _payloads())]


@cache
def _payloads() -> dict[str, str]:
    parts = (part for path in sorted(_FOLDER.glob("*.mlir")) for part in _parts(path))
    return {part.title.partition(" ")[2]: part.text for part in parts if part.is_payload}


class _Part(NamedTuple):
    family: str
    title: str
    directives: dict[str, str]
    flags: frozenset[str]
    text: str

    @property
    def is_payload(self) -> bool:
        return self.title.startswith("payload ")


def _parts(path: Path) -> Iterator[_Part]:
    text = path.read_text(encoding="utf-8")
    for part in _PART.split(text)[1:]:
        lines = part.splitlines(keepends=True)
        directives: dict[str, str] = {}
        flags: set[str] = set()
        words: list[str] = []
        while lines and lines[0].startswith("// ") and not _BODY.match(lines[0]):
            line = lines.pop(0).rstrip()
            directive = _DIRECTIVE.fullmatch(line)
            if directive is not None:
                directives[directive["key"]] = directive["value"]
            elif line in ("// apart", "// whole"):
                flags.add(line[3:])
            else:
                words.append(line[3:])
        if not words:
            raise ValueError(f"{path.name}: a part has no title: {part[:200]}")
        yield _Part(path.stem, words[0], directives, frozenset(flags), "".join(lines))


def _variants(part: _Part, payloads: dict[str, str]) -> Iterator[Script]:
    choices = {key: value.split(" | ") for key, value in part.directives.items() if key == "on" or key[0] == "$"}
    for values in product(*choices.values()):
        chosen = dict(zip(choices, values, strict=True))
        yield _script(part, {key: value.strip() for key, value in chosen.items()}, payloads)


def _script(part: _Part, chosen: dict[str, str], payloads: dict[str, str]) -> Script:
    payload, body = _divided(part, payloads[chosen["on"]] if "on" in chosen else "")
    for key, value in chosen.items():
        if key != "on":
            text = "" if value == "nothing" else value
            payload, body = payload.replace(key, text), body.replace(key, text)
    several = [chosen[key] for key in chosen if " | " in part.directives[key]]
    apart = "apart" in part.flags
    return Script(
        name=f"{part.family}: {part.title}" + "".join(f" [{value}]" for value in several),
        text=body if "whole" in part.flags else _file(part, "" if apart else payload, body),
        payload=_with_aliases(payload) if apart else None,
        libraries=tuple(_with_aliases(payloads[name]) for name in part.directives.get("library", "").split()),
        entry_point=part.directives.get("entry", _DEFAULT_ENTRY),
        options=tuple(_option(option) for option in part.directives.get("options", "").split()),
    )


def _option(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value


def _divided(part: _Part, payload: str) -> tuple[str, str]:
    """Return the payload and the body of the script."""
    marker = _BODY.search(part.text)
    if marker is None:
        return payload, part.text
    body = part.text[marker.end() :]
    if marker["kind"] == "patterns":
        body = _PATTERNS.replace("$body", _indented(body, 1))
    return payload + part.text[: marker.start()], body


def _file(part: _Part, payload: str, body: str) -> str:
    if body.startswith("module"):
        return _with_aliases(body)
    if "transform.named_sequence" not in body:
        effect = part.directives.get("root", "readonly")
        head = f"transform.named_sequence @{_DEFAULT_ENTRY}(%root: !any {{transform.{effect}}}) {{\n"
        body = f"{head}{_indented(body, 1)}  transform.yield\n}}\n"
    contents = _indented(payload + body, 1)
    return _with_aliases(f"module attributes {{transform.with_named_sequence}} {{\n{contents}}}\n")


def _with_aliases(text: str) -> str:
    """Put the aliases that the text uses in front of it."""
    used = [line for line in _ALIASES.splitlines(keepends=True) if re.search(rf"{line.split()[0]}\b", text)]
    return "".join([*used, text])


def _indented(text: str, levels: int) -> str:
    return "".join("  " * levels + line if line.strip() else line for line in text.splitlines(keepends=True))
