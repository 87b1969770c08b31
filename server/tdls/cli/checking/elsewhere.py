"""Calls of named sequences that other scripts of the repository define, in what is found in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.cli.rendering.checked import IdentifiedFinding

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tdls.cli.checking.configured import Configured
    from tdls.cli.checking.targets import CheckTarget
    from tdls.project.sequences import RepositorySequences

_UNKNOWN = "unknown-symbol"
_NOT_NAMED = "library-not-named"


class CheckedRepositories:
    """Knows the repositories of the files that are checked, which are read once, and only if a call needs it."""

    def __init__(self) -> None:
        self._by_root: dict[Path, RepositorySequences] = {}

    def settled(
        self, target: CheckTarget, text: str, configured: Configured, found: Sequence[IdentifiedFinding]
    ) -> list[IdentifiedFinding]:
        """Return what is `found` in a file with one hint for all calls of sequences that are defined elsewhere."""
        if all(finding.diagnostic.rule != _UNKNOWN for finding in found) or (root := _root(target)) is None:
            return list(found)
        from tdls.project.sequences import with_sequences_elsewhere

        diagnostics = with_sequences_elsewhere(
            [finding.diagnostic for finding in found],
            lambda span: text[span.start : span.end],
            self._sequences(root, configured).find,
            root,
        )
        identities = {finding.diagnostic.span: finding.identity for finding in found}
        known = {id(finding.diagnostic): finding for finding in found}
        return [
            known.get(id(diagnostic))
            or IdentifiedFinding(diagnostic, identities[diagnostic.span]._replace(rule=diagnostic.rule))
            for diagnostic in diagnostics
        ]

    def libraries(self, target: CheckTarget, found: Sequence[IdentifiedFinding]) -> tuple[str, ...]:
        """Return what hints that `settled` gave would have as ``libraries``, from the folder of the repository on."""
        hints = [finding.diagnostic for finding in found if finding.diagnostic.rule == _NOT_NAMED]
        if not hints or (root := _root(target)) is None:
            return ()
        from tdls.project.sequences import shown_from

        paths = (note.path for hint in hints for note in hint.notes if note.path is not None)
        return tuple(dict.fromkeys(shown_from(root, path) for path in paths))

    def _sequences(self, root: Path, configured: Configured) -> RepositorySequences:
        from tdls.project.sequences import RepositorySequences

        if root not in self._by_root:
            self._by_root[root] = RepositorySequences(root, configured.catalogue, configured.settings.exclude)
        return self._by_root[root]


def _root(target: CheckTarget) -> Path | None:
    """Return the folder of the project that a file belongs to, None for one of none and for standard input."""
    from tdls.project.root import project_root

    return project_root(target.path.resolve().parent) if target.path is not None else None
