"""What is slow to make and the same each time, kept in the user's own folder.

A kept value counts as long as all is the same that it rests on: `Basis` says what that is.
"""
