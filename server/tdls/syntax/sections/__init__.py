"""A text in sections: the parts of a file that are read on their own, so that an edit costs what it changes."""
