"""All scripts that programs built, as far as they are known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from tdls.text.difference import ChangedRange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.programs.built_script import BuiltOperation, BuiltScript
    from tdls.ide.snapshot import Location


class Made(NamedTuple):
    """The operations of a script that a call of a program made; `call` is where it was when the script was built."""

    script: BuiltScript
    call: Location
    operations: tuple[BuiltOperation, ...]


@dataclass(frozen=True)
class BuiltScripts:
    """Immutable: other scripts make another one. `by_uri` has them by their URIs, the newest last."""

    by_uri: Mapping[str, BuiltScript] = field(default_factory=dict)

    def replaced(self, former: Iterable[str], scripts: Iterable[BuiltScript]) -> BuiltScripts:
        """Return these without the `former` ones, which are URIs, and with `scripts`."""
        gone = set(former)
        kept = {uri: script for uri, script in self.by_uri.items() if uri not in gone}
        return BuiltScripts({**kept, **{script.uri: script for script in scripts}})

    def script_of(self, uri: str) -> str | None:
        """Return the URI of the newest script that a program had a part in, None if there is none."""
        return next((script.uri for script in reversed(list(self.by_uri.values())) if uri in script.programs), None)

    def made_at(self, uri: str, present: SourceFile, offset: int) -> Made | None:
        """Return what was made at an offset of a program as it is now, in the newest script of which anything was.

        That is what the innermost call there made; where there is none, what the first call in its line did.
        """
        for script in reversed(list(self.by_uri.values())):
            program = script.programs.get(uri)
            if program is None:
                continue
            call = script.call_at(uri, ChangedRange.between(program.text, present.text).offset_before(offset))
            if call is not None:
                return Made(script, call, script.made_by(call))
        return None

    def calls_of(self, uri: str, offset: int, present: Callable[[str], SourceFile | None]) -> Iterator[Location]:
        """Yield where the calls are now that made the operation at an offset of a script, the innermost first.

        `present` gives a program as it is. Nothing is told of other files than scripts, nor of what was edited.
        """
        script = self.by_uri.get(uri)
        if script is None:
            return
        for call in script.calls_of(offset):
            program = present(call.uri)
            moved = script.now(call, program) if program is not None else None
            if moved is not None:
                yield moved
