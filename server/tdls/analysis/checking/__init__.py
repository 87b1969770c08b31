"""From rules to findings: which are looked for, what silences them, and in which order they are told."""
