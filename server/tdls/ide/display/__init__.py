"""What editors show around a text: outline, folds, lenses, hints."""
