"""Schedules by seed and number, with MLIR's runs and the findings of tdls; the cache of the oracle keeps both."""

from __future__ import annotations

import ast
import hashlib
import json
import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oracle.handles import processes
from oracle.handles.comparison import Judged
from oracle.handles.findings import findings
from oracle.handles.processes import Died
from oracle.handles.runs import Watched, reading
from oracle.handles.scripts import HandleScript
from oracle.tools import cache_directory

if TYPE_CHECKING:
    from collections.abc import Sequence

_FOLDER = Path(__file__).parent
_BATCH = 40
_MOST_DEATHS = 12
"""Maximum number of restarts of a schedule after crashes of MLIR."""


def schedules(seed: int, count: int) -> list[HandleScript]:
    """Return the first `count` schedules for `seed`, always the same ones, but for those that MLIR never survives."""
    names = [f"{seed}:{number}" for number in range(count)]
    found: list[HandleScript] = []
    for start in range(0, count, _BATCH):
        batch = names[start : start + _BATCH]
        texts = _kept(["grown", *batch], lambda batch=batch: _grown(batch))
        found += [HandleScript(name, text) for name, text in zip(batch, texts, strict=True) if _is_possible(text)]
    return found


def _is_possible(text: str) -> bool:
    """Whether there is a schedule, and none that looks for the steps of our own that runs have."""
    return bool(text) and '"oracle.' not in text


def judged_schedules(seed: int, count: int) -> list[Judged]:
    """Run schedules and compare."""
    found: list[Judged] = []
    scripts = schedules(seed, count)
    for start in range(0, len(scripts), _BATCH):
        batch = scripts[start : start + _BATCH]
        answers = _kept(["run as it is", *(each.text for each in batch)], lambda batch=batch: _run(batch))
        found += [Judged(each, reading(answer), findings(each)) for each, answer in zip(batch, answers, strict=True)]
    return found


def _run(scripts: Sequence[HandleScript]) -> list[Any]:
    jobs = [{"text": each.text, "library": "", "watched": Watched.USES.value} for each in scripts]
    return [{"notes": each.notes} if isinstance(each, Died) else each for each in processes.answers("worker", jobs)]


def _grown(names: Sequence[str]) -> list[str]:
    """Return the text of each schedule, "" where MLIR crashes again and again."""
    texts: dict[str, str] = {}
    deadly: dict[str, list[int]] = {name: [] for name in names}
    todo = list(names)
    while todo:
        jobs = [{"name": name, "deadly": deadly[name]} for name in todo]
        for name, answer in zip(todo, processes.answers("schedules.worker", jobs), strict=True):
            if not isinstance(answer, Died):
                texts[name] = answer
            elif answer.notes and len(deadly[name]) < _MOST_DEATHS:
                deadly[name].append(answer.notes[-1])
            else:
                texts[name] = ""
        todo = [name for name in todo if name not in texts]
    return [texts[name] for name in names]


def _kept(question: list[str], answer: Any) -> Any:
    """Return the kept answer to `question`; `answer` computes it."""
    key = hashlib.sha256(json.dumps([_made_with(), *question]).encode()).hexdigest()
    path = cache_directory() / f"handles-{key}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(f".{os.getpid()}")
        partial.write_text(json.dumps(answer()), encoding="utf-8")
        partial.replace(path)
    return json.loads(path.read_text(encoding="utf-8"))


@cache
def _made_with() -> str:
    """Return the inputs of answers besides the question: how schedules are made and run, and the bindings."""
    sources = [
        *sorted(_FOLDER.glob("*.mlir")),
        *(_FOLDER / name for name in ("growing.py", "operations.py", "worker.py")),
    ]
    sources += [_FOLDER.parent / name for name in ("worker.py", "steps.py")]
    texts = (path.read_text(encoding="utf-8") for path in sources)
    shapes = (
        ast.dump(ast.parse(text)) if path.suffix == ".py" else text for path, text in zip(sources, texts, strict=True)
    )
    bindings = find_spec("torch_mlir")
    origin = bindings.origin if bindings is not None else None
    return "".join(shapes) + (str(Path(origin).stat().st_mtime_ns) if origin is not None else "")
