"""What is around documents: settings, consent, projects, and what other files define."""
