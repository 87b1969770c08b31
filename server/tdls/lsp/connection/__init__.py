"""The connection to the client: streams, the dispatch of messages, and how adapters register for them."""
