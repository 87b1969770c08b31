"""The operations of upstream's test extension of the Transform dialect, from a catalogue file."""

from __future__ import annotations

from pathlib import Path

from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.documents import load_json_catalogue


def catalogue_with_test_extension() -> Catalogue:
    """Return the shipped catalogue with those test operations that the generated scripts use."""
    return Catalogue.shipped().with_source(load_json_catalogue(Path(__file__).with_name("test_extension.json")))
