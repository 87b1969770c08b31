"""``tdls/matches``: the operations that matchers accepted in the last run of a script, and where matchers failed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

from tdls.interpreter.matching.document import matches_object
from tdls.lsp.protocol.conversions import optional_uri

if TYPE_CHECKING:
    from tdls.lsp.connection.registration import Methods
    from tdls.lsp.state import State

METHOD = "tdls/matches"


def register(features: Methods, state: State) -> None:
    """Answer with the matches of the newest run with a file; for a program, of the script that it built."""

    @features.feature(METHOD)
    async def matches(params: Any) -> dict[str, Any]:
        """Return the matches of the newest run with the file `uri` in `params`, or a `problem`."""
        uri = optional_uri(params)
        if not uri:
            raise JsonRpcInvalidParams("the parameters are {uri}")
        explained = await state.runs.matches(state.built.script_of(uri) or uri)
        if explained is None:
            return {"problem": state.runs.why_no_matches(state.built.script_of(uri) or uri)}
        target = explained.target
        return {
            "uri": target.script,
            "entryPoint": target.entry_point,
            "part": target.part,
            "isCurrent": state.runs.is_current(explained),
            "matches": await asyncio.to_thread(matches_object, explained.explanation),
        }
