"""Results of runs in the form that editors show."""
