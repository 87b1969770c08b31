"""Values of choices are set by name, by result or by line; others say what there is."""

import pytest

from interpreter.scripts import script_of
from tdls.interpreter.errors import PlanError
from tdls.interpreter.runs.choices import with_values

TEXT = """%a = transform.tune.knob<"a"> = 2 from options = [1, 2] -> !any
%b = "transform.tune.knob"() <{name = "b", options = ["x", "y"]}> : () -> !any
%c, %d = transform.tune.alternatives<"a"> { transform.yield }, { transform.yield }
%e = transform.param.constant 4 : i32 -> !any
"""


def test_values() -> None:
    (script,) = with_values([script_of(TEXT)], {"%a": "1", "b": "y", "3": "1", "e": "8"})
    for expected in ('"> = 1  from', '<{selected = "y", name', '"a"> selected_region = 1 {', "8 : i32"):
        assert expected in script.text
    wrong = {"1=3": "has no option `3`; it has 1 and 2", "f=1": "there is `a`, `b`, `a`", "a=1": "as in 1=1"}
    for given, message in wrong.items():
        with pytest.raises(PlanError, match=message):
            with_values([script_of(TEXT)], dict([given.split("=")]))
