"""Values that are made when they are first asked for, by whichever thread that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from functools import cached_property
else:

    class _KeptProperty:
        """As the one of `functools`, which until Python 3.12 lets all threads wait for one, whatever objects they ask.

        Threads that ask for the same at a time may both make it; all of them get the one that was there first.
        """

        def __init__(self, function):
            self._function = function
            self.__doc__ = function.__doc__

        def __set_name__(self, owner, name):
            self._name = name

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            return instance.__dict__.setdefault(self._name, self._function(instance))

    cached_property = _KeptProperty

__all__ = ["cached_property"]
