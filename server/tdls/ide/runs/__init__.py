"""Results of runs in the form that editors show, and the steps that would come next."""
