"""Catalogues as files: JSON that people write and tdls writes."""
