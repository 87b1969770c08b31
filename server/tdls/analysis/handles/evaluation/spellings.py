"""Lists and dictionaries of attributes as they are spelled."""

from __future__ import annotations


def entries(dictionary: str) -> list[tuple[str, str | None]]:
    """Return names and values of a dictionary attribute as it is spelled; None for units."""
    found: list[tuple[str, str | None]] = []
    for entry in split(dictionary.strip()[1:-1]):
        name, equals, value = entry.partition("=")
        found.append((name.strip().strip('"'), value.strip() if equals else None))
    return found


def split(text: str) -> list[str]:
    """Return what stands between commas that are in no brackets or strings, without blanks around."""
    found: list[str] = []
    depth, start, in_string = 0, 0, False
    for index, character in enumerate(text):
        if character == '"' and text[index - 1 : index] != "\\":
            in_string = not in_string
        elif in_string:
            continue
        elif character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and text[index - 1 : index] != "-"):
            depth -= 1
        elif character == "," and not depth:
            found.append(text[start:index].strip())
            start = index + 1
    last = text[start:].strip()
    return [*found, last] if last else found
