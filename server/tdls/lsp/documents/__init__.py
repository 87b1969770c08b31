"""Documents as the editor has them, the files on disk that they hide, and when all these are checked."""
