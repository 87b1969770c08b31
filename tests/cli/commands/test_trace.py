"""``tdls trace`` as people meet it: lines, states, documents, the page in a browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from command_line import tdls
from interpreter.scripts import MATCH, PAYLOAD, TILE, sequence
from tools_at_hand import give_up, require_bindings, require_mlir_opt

ANY = "!transform.any_op"
EACH = f"""\
    %all = transform.structured.match ops{{["arith.constant"]}} in %root : ({ANY}) -> {ANY}
    transform.foreach %all : {ANY} {{
    ^bb0(%each: {ANY}):
      transform.annotate %each "first" : {ANY}
    }}
"""
CONSTANTS = """\
  func.func @f() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    return
  }
"""
FAILING = sequence(MATCH + TILE + f'    transform.annotate %matmul "x" : {ANY}\n')
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SECONDS = re.compile(r"\d+\.\d\d ms")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    require_bindings()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def trace(*arguments: str) -> subprocess.CompletedProcess[str]:
    done = tdls("trace", *arguments)
    assert "mistake in tdls" not in done.stderr
    return done


def at(text: str, word: str) -> str:
    """Return the place of a word as ``LINE:COLUMN``."""
    before = text[: text.index(word)]
    return f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def write(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def test_a_line_for_each_step() -> None:
    text = sequence(MATCH + TILE + EACH)
    done = trace(write("tile.mlir", text))
    assert (done.returncode, done.stderr) == (0, "")
    places = {word: at(text, f"transform.{word}") for word in ("structured.match", "structured.tile", "foreach")}
    again, each = at(text, 'transform.structured.match ops{["arith'), at(text, "transform.annotate")
    lines = [re.sub(r" +", " ", SECONDS.sub("T", line)).strip() for line in done.stdout.splitlines()]
    tiling = "structured.tile_using_for %tiled = 1 linalg.matmul, %loop = 1 scf.for"
    assert lines == [
        f"1 {places['structured.match']} T structured.match %matmul = 1 linalg.matmul",
        f"2 {places['structured.tile']} T +11 -1 {tiling}",
        "1 linalg.matmul in 2 for",
        f"3 {again} T structured.match %all = 3 arith.constant",
        f"4 {places['foreach']} T +3 -3 foreach",
        *(f"{number} {each} T +1 -1 annotate{mark}" for number, mark in ((5, ""), (6, " #2"), (7, " #3"))),
    ]


@pytest.mark.parametrize("backend", ["bindings", "mlir-opt-22"])
def test_state(backend: str) -> None:
    if backend != "bindings":
        require_mlir_opt(22)
    text = sequence(MATCH + TILE)
    place = at(text, "transform.structured.tile")
    done = trace(write("tile.mlir", text), "--at", place, "--backend", backend)
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert lines[0] == f"// behind step 2, transform.structured.tile_using_for ({place})"
    assert f"//   %matmul  stale since step 2 ({place} transform.structured.tile_using_for)" in lines
    assert any(line.startswith("//   %loop    live: 1 scf.for") for line in lines)
    assert "scf.for" in done.stdout.partition("module {")[2]


def test_state_of_an_iteration() -> None:
    text = sequence(EACH, CONSTANTS)
    script, place = write("each.mlir", text), at(text, "transform.annotate")
    for number in (1, 2):
        done = trace(script, "--at", f"{place}#{number}")
        assert done.stdout.partition("module {")[2].count("first") == number, done.stderr
    done = trace(script, "--at", f"{place}#3")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: each.mlir: what stands at --at was executed only 2 times\n"


def test_failure_and_the_state_before_it() -> None:
    done = trace(write("bad.mlir", FAILING))
    assert (done.returncode, "op uses a handle invalidated" in done.stderr) == (1, True)
    assert done.stdout.splitlines()[-1].endswith("annotate  [failed]")
    place = at(FAILING, "transform.annotate")
    done = trace("bad.mlir", "--at", place)
    assert done.returncode == 1
    assert done.stdout.startswith(f"// before step 3, transform.annotate ({place}), which was not completed\n")


def test_json() -> None:
    text = sequence(MATCH + TILE)
    script, place = write("tile.mlir", text), at(text, "transform.structured.tile")
    run = json.loads(trace(script, "--format", "json").stdout)["runs"][0]
    assert [step["operation"] for step in run["steps"]] == [
        "transform.structured.match",
        "transform.structured.tile_using_for",
    ]
    step = run["steps"][1]
    assert (step["path"], f"{step['line']}:{step['column']}") == (script, place)
    assert (step["added"], step["removed"]) == (11, 1)
    state = run["states"][step["after"]]
    assert "scf.for" in run["payloads"][state["payload"]]
    assert {handle["name"]: (handle["liveness"], handle["since"]) for handle in state["handles"]} == {
        "%root": ("live", None),
        "%matmul": ("stale", 2),
        "%tiled": ("live", None),
        "%loop": ("live", None),
    }
    assert "scf.for" in json.loads(trace(script, "--format", "json", "--at", place).stdout)["payload"]


@pytest.mark.parametrize("around", [PAYLOAD, f"module {{\n{PAYLOAD}}}\n"])
def test_a_module_that_no_text_has_is_at_no_place(around: str) -> None:
    script, payload = write("tile.mlir", sequence(MATCH, "")), write("payload.mlir", around)
    run = json.loads(trace(script, "--payload", payload, "--format", "json").stdout)["runs"][0]
    (root, matmul) = run["states"][-1]["handles"]
    place = {"path": payload, "line": 1, "column": 1}
    assert root["items"] == [{"name": "builtin.module", "place": place if around != PAYLOAD else None}]
    assert matmul["items"][0]["place"]["line"] > 1


def test_contents_of_parameters_and_value_handles() -> None:
    body = f"{MATCH}    %v = transform.get_result %matmul[0] : ({ANY}) -> !transform.any_value\n"
    body += "    %p = transform.param.constant 42 : i64 -> !transform.param<i64>\n"
    lines = trace(write("contents.mlir", sequence(body))).stdout.splitlines()
    assert [line.split("  ")[-1] for line in lines[1:]] == ["%v = 1 value", "%p = 42 : i64"]
    assert "//   %p       = 42 : i64\n" in trace("contents.mlir", "--at", at(sequence(body), "transform.param")).stdout


def test_parts() -> None:
    done = trace(write("parts.mlir", sequence(MATCH) + "// -----\n" + sequence(MATCH)))
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["1", "//", "1"]
    runs = json.loads(trace("parts.mlir", "--format", "json").stdout)["runs"]
    assert len(runs) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("alone.mlir",), "alone.mlir: there is no payload: name one with --payload"),
        (("alone.mlir", "--payload", "nowhere.mlir"), "nowhere.mlir: No such file"),
        (("alone.mlir", "--payload", "broken.mlir"), "custom op 'foo' is unknown"),
        (("tile.mlir", "--backend", "nowhere-opt"), "nowhere-opt"),
        (("tile.mlir", "--at", "3"), "no operation at --at is executed by itself"),
        (("tile.mlir", "--at", "8#2"), "what stands at --at was executed only once"),
        (("tile.mlir", "--at", "x"), "'x' is not LINE, LINE:COLUMN or LINE:COLUMN#N"),
        (("tile.mlir", "--at", "9", "--format", "html"), "only the formats text and json can show one state"),
    ],
)
def test_scripts_that_cannot_be_traced(arguments: tuple[str, ...], message: str) -> None:
    write("alone.mlir", sequence("", ""))
    write("tile.mlir", sequence(MATCH + TILE))
    write("broken.mlir", "module { foo\n")
    done = trace(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.lower().count("error") == 1


def test_payload_of_its_own() -> None:
    payload = write("payload.mlir", f"module {{\n{PAYLOAD}}}\n")
    done = trace(write("tile.mlir", sequence(MATCH + TILE, "")), "--payload", payload, "--at", "4")
    assert "live: 1 linalg.matmul" in done.stdout


def test_a_payload_in_which_nothing_is() -> None:
    """It was named, so there is one, as for 'tdls run'."""
    done = trace(write("alone.mlir", sequence(MATCH, "")), "--payload", write("empty.mlir", "module {\n}\n"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "%matmul" in done.stdout


class _Page(HTMLParser):
    """The contents of a page: attributes of tags, and the text of its data."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.attributes: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[str] = []
        self._data = ""
        self.titles: list[str] = []
        """The texts of the title and of the heading."""
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.attributes.append((tag, dict(attributes)))
        if tag not in ("meta", "link", "br"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open[-1:] in (["title"], ["h1"]):
            self.titles.append(data)
        if self._open[-1:] == ["script"] and self.attributes[-1][1].get("id") == "data":
            self._data += data

    def data(self) -> Any:
        return json.loads(self._data)


def test_page_needs_nothing_else() -> None:
    text = trace(write("</script>.mlir".replace("/", "_"), sequence(MATCH + TILE)), "--format", "html").stdout
    page = _Page(text)
    for tag, attributes in page.attributes:
        assert not {"src", "href"} & attributes.keys(), tag
    assert not re.search(r"https?://|@import|url\(", text)
    for tag in ("style", "script"):
        inside = text.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert any(f"{tag}-src 'sha256-{digest}'" in (each.get("content") or "") for _, each in page.attributes)
    run = page.data()[0]
    before: list[str] = []
    for start, gone, come in run["payloads"]:
        before = [*before[:start], *come, *before[start + gone :]]
    assert (
        "\n".join(before) == json.loads(trace("<_script>.mlir", "--format", "json").stdout)["runs"][0]["payloads"][-1]
    )
    assert run["steps"][1]["hunks"]
    assert sum(count for count, _, _ in run["origins"][-1]) == len("\n".join(before).splitlines())


@pytest.mark.parametrize("name", ["@DATA@", "@TITLE@", "{{ data }}", "{% raw %}", "a&amp;b", "it's"])
def test_page_shows_the_name_of_any_file(name: str) -> None:
    said = f'transform.print {{name = "{name} </script><!--"}}\n'
    page = _Page(trace(write(f"{name}.mlir", sequence(MATCH + said)), "--format", "html").stdout)
    assert page.titles == [f"{name}.mlir: tdls trace", f"{name}.mlir "]
    (run,) = page.data()
    assert run["script"]["path"] == f"{name}.mlir"
    assert said in run["source"]


def _in_browser(name: str, *keys: str) -> str:
    """Return the page as a browser has it after `keys` were pressed."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        give_up("there is no Chromium (Debian package chromium)")
    events = (f"new KeyboardEvent('keydown', {{key: {json.dumps(key)}}})" for key in keys)
    pressed = "".join(f"document.dispatchEvent({event});" for event in events)
    page = Path("page.html")
    text = trace(name, "--format", "html").stdout.replace("Content-Security-Policy", "")  # which allows no other script
    page.write_text(text.replace("</body>", f"<script>{pressed}</script></body>"))
    off = ("gpu", "background-networking", "component-update")
    flags = ["--headless", "--no-sandbox", *(f"--disable-{each}" for each in off)]
    done = subprocess.run(
        [browser, *flags, f"--user-data-dir={Path('browser').absolute()}", "--dump-dom", page.absolute().as_uri()],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    )
    return done.stdout.partition("<main>")[2].partition("</main>")[0]


def _chosen(shown: str) -> str:
    return re.sub(r"<[^>]*>", " ", shown.partition('aria-selected="true"')[2].partition("</li>")[0])


@pytest.mark.sample
def test_page_in_a_browser() -> None:
    script = write("each.mlir", sequence(MATCH + TILE + EACH))
    shown = _in_browser(script, "c")
    assert "structured.tile_using_for" in _chosen(shown)
    assert shown.count('<div class="added">') == 11
    assert re.search(r'<tr class="stale"><td class="mono">%matmul</td><td>stale since <button[^>]*>step 2', shown)
    inside = _in_browser(script, "End", "a")
    assert "annotate #3" in _chosen(inside)
    assert 'title="changed last by step 7"' in inside
    assert "foreach" in _chosen(_in_browser(script, "End", "ArrowLeft"))
    failing = _in_browser(write("bad.mlir", FAILING))  # where it begins
    assert "annotate" in _chosen(failing)
    assert "the run ended here" in failing


ARMS = """\
  transform.named_sequence @fill(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.fill"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @all(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @again(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @act(%op: !transform.any_op {transform.readonly}) {
    transform.yield
  }
"""


@pytest.mark.sample
def test_page_has_a_table_of_arms() -> None:
    arms = "@fill -> @act, @matmul -> @act, @all -> @act, @again -> @act"
    body = f"    %new = transform.foreach_match in %root {arms} : ({ANY}) -> {ANY}\n"
    write("payload.mlir", f"module {{\n{PAYLOAD}}}\n")
    text = sequence(body, ARMS)
    main = text.index("@__transform_main")
    text = text[:main] + text[main:].replace("transform.readonly", "transform.consumed", 1)
    script = write("arms.mlir", f"// tdls: payload=payload.mlir\n{text}")
    table = _in_browser(script).partition('id="arms"')[2].partition("</table>")[0]
    heads = re.findall(r"<th>([^<]*)</th>", table)
    assert heads == ["operation", "@fill → @act", "@matmul → @act", "@all → @act", "@again → @act"]
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", table)
    assert re.fullmatch(r"0 of \d+: never fired", cells[1])
    assert cells[2].startswith("1 of ")
    assert cells[4] == "never asked: shadowed"
    assert "✓" in cells
    assert any(cell.startswith("payload.mlir:") for cell in cells)
    assert "match.operation_name, line 4" in cells
