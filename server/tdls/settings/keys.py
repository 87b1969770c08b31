"""All settings: their kinds of values, defaults and meanings, for the reader, the JSON schema and the manual."""

from __future__ import annotations

from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias

from tdls.limits import SETTINGS_ENTRIES
from tdls.settings.llvm_versions import (
    llvm_versions,
    month_name,
    newest_release,
    newest_version,
    version_named,
    wheel_names,
)
from tdls.settings.model import OFF, PAYLOAD_SYNTAX
from tdls.structs import NamedTuple
from tdls.text.level import Level
from tdls.text.wording import enumerated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

RULE_LEVELS = (OFF, *(level.value for level in Level))
REFRESH = (OFF, "save", "type")
EXTEND = "extend"


class ValueKind(NamedTuple):
    """The values that a key accepts: in words, as a predicate, and as JSON Schema."""

    description: str
    accepts: Callable[[object], bool]
    schema: Mapping[str, Any]


class Key(NamedTuple):
    """A setting. `default` is a TOML value, or words in parentheses for a default that is not fixed.

    `reach` is the effect, in words, for which a value in a project's file needs the user's consent; "" for none. A
    setting with `is_of_user` counts only in the editor and on the command line. A setting with `is_path` has paths or
    patterns of paths, which need consent, too, if they lead out of the repository.
    """

    kind: ValueKind
    default: Any
    meaning: str
    reach: str = ""
    is_of_user: bool = False
    is_path: bool = False


Table: TypeAlias = "Mapping[str, Key | Table]"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and "\0" not in value  # which no path may have


def _is_texts(value: object) -> bool:
    if not isinstance(value, list) or len(value) > SETTINGS_ENTRIES.most:
        return False
    return all(map(_is_text, value))


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_positive(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < inf


def _version() -> ValueKind:
    releases = [version for version in llvm_versions() if version <= newest_release()]
    names = enumerated([f"`{version}`" for version in releases], "or")
    return ValueKind(
        f'the number of a release ({names}), `"main"`, a month of it such as `"{month_name(newest_version())}"`, or a'
        f' wheel such as `"{wheel_names()[-1]}"`',
        lambda value: version_named(value) is not None,
        {
            "anyOf": [
                {"enum": [*releases, "main", *wheel_names()]},
                {"type": "string", "pattern": "^20[0-9][0-9]-[01][0-9]$"},
            ]
        },
    )


def _one_of(values: tuple[str, ...]) -> ValueKind:
    return ValueKind(
        " or ".join(f'`"{value}"`' for value in values), lambda value: value in values, {"enum": list(values)}
    )


SWITCH = ValueKind("`true` or `false`", lambda value: isinstance(value, bool), {"type": "boolean"})
NUMBER = ValueKind(
    "a whole number from 0",
    lambda value: isinstance(value, int) and _is_number(value) and value >= 0,
    {"type": "integer", "minimum": 0},
)
COUNT = ValueKind(
    "a whole number above 0", lambda value: _is_number(value) and _is_positive(value), {"type": "integer", "minimum": 1}
)
SECONDS = ValueKind("a number above 0", _is_positive, {"type": "number", "exclusiveMinimum": 0})
TEXT = ValueKind("a text", _is_text, {"type": "string"})
LEVEL = _one_of(RULE_LEVELS)
_LIST_OF_TEXTS: Mapping[str, Any] = {"type": "array", "items": {"type": "string"}}
TEXTS = ValueKind('a list of texts, such as `["first", "second"]`', _is_texts, _LIST_OF_TEXTS)
RULES = ValueKind('a list of rules, such as `["use-after-free", "TD3"]`', _is_texts, _LIST_OF_TEXTS)
RULES_BY_PATTERN = ValueKind(
    'a table of lists of rules, such as `{"tests/" = ["all"]}`',
    lambda value: isinstance(value, dict) and all(map(_is_texts, value.values())),
    {"type": "object", "additionalProperties": _LIST_OF_TEXTS},
)


def _is_shape(value: str) -> bool:
    prefix, _, suffix = value.partition("*")
    return prefix != "" and "*" not in suffix and not any(sign.isspace() or sign == '"' for sign in value)


SHAPES = ValueKind(
    'a list of texts with at most one `*`, which stands for a name, such as `["__*__", "@*@"]`',
    lambda value: isinstance(value, list) and _is_texts(value) and all(map(_is_shape, value)),
    {"type": "array", "items": {"type": "string", "pattern": '^[^\\s"*]+([*][^\\s"*]*)?$'}},
)
_SCHEDULE_KEYS = frozenset({"entry", "args"})


_SCHEDULE_SCHEMA = {
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "additionalProperties": False,
            "required": ["entry"],
            "properties": {"entry": {"type": "string"}, "args": _LIST_OF_TEXTS},
        },
    ]
}


def _is_schedule(value: object) -> bool:
    if _is_text(value):
        return True
    if not isinstance(value, dict) or not _is_text(value.get("entry")):
        return False
    return value.keys() <= _SCHEDULE_KEYS and _is_texts(value.get("args", []))


SCHEDULES = ValueKind(
    'a list of programs, such as `["pkg.mod:function", {entry = "plan.py", args = ["4"]}]`',
    lambda value: isinstance(value, list) and all(map(_is_schedule, value)),
    {"type": "array", "items": _SCHEDULE_SCHEMA},
)

SCHEDULE = ValueKind(
    'a function, such as `"pkg.mod:function"` or `{entry = "pkg.mod:function", args = ["4"]}`',
    _is_schedule,
    _SCHEDULE_SCHEMA,
)


@lru_cache(maxsize=1)
def _fixed() -> Table:
    return {
        EXTEND: Key(
            TEXT, "", "start from the settings of another file, which those of this file override", is_path=True
        ),
        "libraries": Key(
            TEXTS,
            [],
            "make the named sequences of these files known to all scripts; a folder stands for the scripts directly in"
            " it",
            is_path=True,
        ),
        "payload": Key(
            TEXT, "", "run scripts on this file if they name no payload and have none in their own file", is_path=True
        ),
        "locations": Key(TEXTS, [], "search these folders for sources that locations in payload name", is_path=True),
        "catalogues": Key(
            TEXTS,
            [],
            "read the operations of a project from these files, see [catalogue.md](catalogue.md); a later one overrides"
            " an earlier one",
            is_path=True,
        ),
        "exclude": Key(
            TEXTS, [], "do not read these files below the folder of the configuration, written as in `.gitignore`"
        ),
        "select": Key(RULES, "(all)", "check only these rules, instead of all with certain findings"),
        "extend-select": Key(RULES, [], "check these rules as well"),
        "ignore": Key(RULES, [], "do not check these rules"),
        "per-file-ignores": Key(
            RULES_BY_PATTERN, {}, "do not check these rules in some files, which are written as in `.gitignore`"
        ),
        "target-llvm": Key(
            _version(), "(all)", "check scripts for this version of LLVM; operations of other versions only are errors"
        ),
        "placeholders": Key(
            SHAPES,
            [],
            "take tokens of these shapes for placeholders of a template, see [the rule](rules.md#template-placeholder)",
        ),
        "payload-syntax": Key(
            _one_of(PAYLOAD_SYNTAX),
            "certain",
            "report these mistakes in payload: none, those that no version of MLIR and no project can mean, or all that"
            " does not fit known definitions",
        ),
        "baseline": Key(TEXT, "", "do not report the findings that are in this file", is_path=True),
    }


_TABLES: Table = {
    "inlay-hints": {
        "types": Key(SWITCH, True, "show the types of handles where they are not written"),
        "operand-names": Key(SWITCH, True, "show the name of an operand or attribute at a bare number"),
        "consumed": Key(SWITCH, False, "show where a handle is consumed"),
        "contents": Key(SWITCH, True, "show the payload operations of handles in the last run"),
    },
    "code-lens": {
        "references": Key(SWITCH, True, "show above a definition the number of its references"),
        "run": Key(SWITCH, True, "show *Run* and *Diff* above the entry points of scripts"),
        "matches": Key(SWITCH, True, "show above a matcher the number of its matches in the last run"),
    },
    "run": {
        "backend": Key(
            TEXT,
            "(found)",
            'run scripts with `"bindings"`, `"bindings:PACKAGE"`, or the command of a tool like `mlir-opt`, which'
            " editors also ask for the passes that it registers",
            reach="starts a program",
        ),
        "python": Key(
            TEXT,
            "(tdls's own)",
            "run scripts with this Python interpreter (3.10 or newer), which has MLIR's bindings installed",
            reach="starts a program",
        ),
        "setup": Key(
            TEXTS, [], 'import these before scripts run: `"module"` or `"module:function"`', reach="imports code"
        ),
        "timeout": Key(SECONDS, 30, "end a run after so many seconds"),
        "memory": Key(COUNT, 4096, "limit the memory of a run to so many MiB (Linux)"),
        "live": Key(
            SWITCH,
            True,
            "let MLIR read files, and run scripts with payload by themselves after a pause in typing, in trusted "
            "workspaces; counts from editors only",
            is_of_user=True,
        ),
        "refresh": Key(
            _one_of(REFRESH),
            "save",
            'repeat the runs that editors show: `"off"`, on `"save"`, or as you `"type"`; counts from editors only',
            is_of_user=True,
        ),
        "keep-script": Key(SWITCH, False, "show the script as well in the transformed payload"),
        "explain-matches": Key(
            SWITCH, True, "explain in editors, by one more run, why a matcher accepted or a match found nothing"
        ),
    },
    "project": {
        "enabled": Key(
            SWITCH, True, "read the project's sources to find its operations, see [projects.md](projects.md)"
        ),
        "definitions": Key(
            TEXTS, [], "read these files and folders with definitions, too, besides the project's folder", is_path=True
        ),
        "include": Key(TEXTS, [], "search these folders first for files that TableGen includes", is_path=True),
        "exclude": Key(TEXTS, [], "do not read these sources below the project's folder, written as in `.gitignore`"),
        "bindings": Key(SWITCH, True, "read the installed Python bindings of MLIR, too"),
    },
    "python": {
        "check": Key(SWITCH, False, "also check the scripts in strings of the Python programs below folders"),
        "payload": Key(
            SCHEDULE,
            "",
            "run this function in editors for the payload of built scripts; it returns a module or a text",
            reach="runs programs",
        ),
        "schedules": Key(
            SCHEDULES,
            [],
            "run these with `tdls check-python`, since they build scripts, see [python.md](python.md#builders)",
            reach="runs programs",
        ),
    },
    "format": {
        "width": Key(NUMBER, 0, "break operations before their types where they need more columns; 0 breaks none"),
    },
}


def keys(rule_names: Iterable[str]) -> Table:
    """Return the table of all settings; each rule is a key of its table ``rules``."""
    level = Key(LEVEL, "(the rule's own level)", 'the level of the rule, or `"off"`')
    return {**_fixed(), "rules": dict.fromkeys(rule_names, level), **_TABLES}


def flat(table: Table, prefix: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Key]]:
    """Yield every setting with its path: the names of the tables around it and its own name."""
    for name, entry in table.items():
        if isinstance(entry, Key):
            yield (*prefix, name), entry
        else:
            yield from flat(entry, (*prefix, name))


def json_schema(rules: Mapping[str, str]) -> dict[str, Any]:
    """Return the schema for a project with `rules` (codes by name)."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Settings of tdls",
        "description": "tdls.toml, or the table [tool.tdls] of pyproject.toml",
        **_table(keys(rules)),
    }


def _table(table: Table) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for name, entry in table.items():
        if isinstance(entry, Key):
            default = {} if is_described(entry.default) else {"default": entry.default}
            properties[name] = {"description": entry.meaning, **entry.kind.schema, **default}
        else:
            properties[name] = _table(entry)
    return {"type": "object", "additionalProperties": False, "properties": properties}


def is_described(default: object) -> bool:
    """Whether a default is given in words, since it is not fixed."""
    return isinstance(default, str) and default.startswith("(")
