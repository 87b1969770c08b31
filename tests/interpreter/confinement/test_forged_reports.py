"""A report forged by a script, a tool or a project's code in the bindings is an outcome like any other."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from interpreter.scripts import MATCH, TILE, run, script_of, sequence
from tdls.interpreter.backend import open_backend
from tdls.interpreter.confinement.confinement import Means, protection
from tdls.interpreter.errors import BackendError
from tdls.interpreter.observing.records import Wanted
from tdls.interpreter.recording.recording import recorded
from tdls.interpreter.runs.model import Emit, RunRequest, Status
from tdls.settings.model import BackendChoice, SetupStep
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tdls.interpreter.backend import Backend

landlocked = pytest.mark.skipif(protection().means is not Means.LANDLOCK, reason="this system has no Landlock")
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs links and pipes of POSIX")
TEXT = sequence(MATCH + TILE)


def writing(path: str) -> str:
    """Return a script that has a pass write to `path` while the script runs."""
    return sequence(
        '    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op\n'
        '    %g = transform.apply_registered_pass "snapshot-op-locations" with options = '
        f'{{"filename" = "{path}"}} to %f : (!transform.any_op) -> !transform.any_op\n'
        '    transform.annotate %g "there" : !transform.any_op\n'
    )


@pytest.fixture(scope="module")
def bindings() -> Iterator[Backend]:
    require_bindings()
    backend = open_backend(BackendChoice("bindings:torch_mlir"))
    yield backend
    backend.close()


@landlocked
@pytest.mark.parametrize("number", range(1, 33))
def test_scripts_write_to_no_channel(bindings: Backend, number: int) -> None:
    request = RunRequest(script_of(writing(f"/proc/self/fd/{number}")))
    for result in (
        bindings.run(request),
        run(bindings, request.script.text, observe=True),
        bindings.record(request, Wanted.every()).result,
    ):
        assert result.status is Status.FAILURE
        assert result.diagnostics[0].message.startswith("cannot open output file")


FORGED = {
    "the answer is no message": "worker._carried_out = lambda *job: b'nonsense'",
    "the answer is empty": "worker._carried_out = lambda *job: b''",
    "the answer is cut off": "carried_out = worker._carried_out; "
    "worker._carried_out = lambda *job: carried_out(*job)[:-1]",
    "the answer is no JSON": "worker.frame = lambda message: struct.pack('>Q', 9) + b'{nonsense'",
    "the answer is a list": "worker.frame = lambda message: struct.pack('>Q', 7) + b'[1, 2]\\n'",
    "an unknown status": "worker.frame = lambda message: frame({**message, 'status': 'fine'})",
    "a module that is no text": "worker.frame = lambda message: frame({**message, 'module': 1})",
    "a time that is no number": "worker.frame = lambda message: frame({**message, 'diagnostics': "
    "[{'level': 'remark', 'message': 'tdls.point 0', 'file': None, 'line': 0, 'column': 0, 'notes': [], 'at': 'x'}]})",
    "deep": "worker.frame = lambda message: struct.pack('>Q', 200000) + b'[' * 200000",
    "a line that is none": "worker.frame = lambda message: frame({**message, 'diagnostics': "
    "[{'level': 'error', 'message': '', 'file': 'script.mlir', 'line': -5, 'column': 0, 'notes': []}]})",
}
HEAD = """\
import os, struct
from tdls.interpreter.mlir.worker import worker

frame = worker.frame
"""


@pytest.fixture
def forging(tmp_path: Path) -> Iterator[Callable[[str], Backend]]:
    """Makes backends to which a project adds some code."""
    require_bindings()
    backends: list[Backend] = []

    def make(code: str) -> Backend:
        (tmp_path / "forging_setup.py").write_text(f"{HEAD}\n{code}\n", encoding="utf-8")
        backends.append(
            open_backend(BackendChoice("bindings:torch_mlir", setup=(SetupStep(tmp_path, "forging_setup"),)))
        )
        return backends[-1]

    yield make
    for backend in backends:
        backend.close()


@posix
@pytest.mark.parametrize("name", FORGED)
def test_forged_answers(name: str, forging: Callable[[str], Backend]) -> None:
    result = run(forging(FORGED[name]), TEXT)
    assert result.status is Status.FAILURE
    assert "cannot be read" in result.diagnostics[-1].message
    assert result.texts == {}


def test_greeting_that_is_none(forging: Callable[[str], Backend]) -> None:
    backend = forging("worker.send = lambda descriptor, message: os.write(descriptor, frame({'error': 7}))")
    with pytest.raises(BackendError, match="its greeting cannot be read"):
        run(backend, TEXT)


TOOL = """\
import os, pathlib, sys
source, output, victim = sys.argv[1], sys.argv[sys.argv.index("-o") + 1], {victim!r}
def attempt(work):
    try:
        work()
    except OSError:
        pass
for folder in (os.path.dirname(source), os.path.dirname(output)):
    for name in ("text1.mlir", "text2.mlir", "more", "output2"):
        attempt(lambda: os.symlink(victim, os.path.join(folder, name)))
{code}
"""
MODULE = "#map = affine_map<() -> ()>\nmodule attributes {a = #map} {\n}\n"
OUTPUTS = {
    "a link": ("os.symlink(victim, output)", "it is a symbolic link"),
    "a link to nothing": ("os.symlink(victim + 'x', output)", "it is a symbolic link"),
    "a pipe": ("os.mkfifo(output)", "it is not a regular file"),
    "a folder": ("os.mkdir(output)", "it is not a regular file"),
}


@posix
@pytest.mark.parametrize("name", OUTPUTS)
def test_output_of_a_tool_that_is_no_file(name: str, tmp_path: Path) -> None:
    code, problem = OUTPUTS[name]
    victim = tmp_path / "victim"
    victim.write_text(MODULE, encoding="utf-8")
    (tmp_path / "tool.py").write_text(TOOL.format(victim=str(victim), code=code), encoding="utf-8")
    backend = open_backend(BackendChoice(f'{sys.executable} "{tmp_path / "tool.py"}"'))
    result = run(backend, TEXT, emits=frozenset(Emit))
    assert result.status is Status.FAILURE
    assert problem in result.diagnostics[-1].message
    assert result.texts == {}
    assert victim.read_text(encoding="utf-8") == MODULE


@posix
def test_links_that_a_tool_leaves_are_not_followed(tmp_path: Path) -> None:
    """Several processes are started for one run, with texts that earlier ones returned."""
    victim = tmp_path / "victim"
    victim.write_text("mine", encoding="utf-8")
    code = f"pathlib.Path(output).write_text({MODULE!r})"
    (tmp_path / "tool.py").write_text(TOOL.format(victim=str(victim), code=code), encoding="utf-8")
    backend = open_backend(BackendChoice(f'{sys.executable} "{tmp_path / "tool.py"}"'))
    result = run(backend, TEXT, emits=frozenset(Emit), observe=True)
    assert result.status is Status.SUCCESS
    assert result.texts[Emit.MODULE] == MODULE
    assert victim.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("number", [7, 999, "9" * 5_000])
def test_scripts_that_print_like_probes(number: object) -> None:
    """Output of a script that names missing places is its own."""
    backend = open_backend(BackendChoice(str(require_mlir_opt(22))))
    words = "".join(
        f'    transform.debug.emit_remark_at %matmul, "{word}" : !transform.any_op\n'
        f'    transform.print %matmul {{name = "{word}"}} : !transform.any_op\n'
        for word in (
            f"tdls.point {number} 0",
            f"tdls.count {number} 0 1",
            f"tdls.item {number} 5",
            f"tdls.state {number}",
        )
    )
    result = run(backend, sequence(MATCH + words), observe=True)
    assert result.status is Status.SUCCESS
    recording = recorded(backend, RunRequest(script_of(sequence(MATCH + words))), Wanted.every())
    assert recording.result.status is Status.SUCCESS
