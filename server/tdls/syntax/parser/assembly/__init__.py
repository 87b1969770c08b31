"""Custom forms of known operations, read by the assembly formats that the catalogue has."""
