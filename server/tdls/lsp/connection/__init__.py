"""The connection to the client: streams, dispatch of messages, and registration of adapters."""
