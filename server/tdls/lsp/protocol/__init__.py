"""Between plain data and the protocol: places, paths, parameters, errors, and the addresses of documents with runs."""
