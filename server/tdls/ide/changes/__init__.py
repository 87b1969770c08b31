"""Features that change text: code actions, repairs, refactorings, migration and renaming."""
