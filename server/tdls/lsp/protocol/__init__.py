"""Conversions between plain data and LSP types: positions, paths, parameters, errors, and URIs of virtual documents."""
