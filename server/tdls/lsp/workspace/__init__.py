"""State of the workspace: settings, consents, projects, and named sequences in other files."""
