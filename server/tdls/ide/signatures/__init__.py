"""How operations are written: signatures, and snippets with tab stops."""
