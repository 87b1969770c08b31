"""Settings of a project (``tdls.toml``, ``pyproject.toml``) and of the editor: see ``docs/configuration.md``."""
