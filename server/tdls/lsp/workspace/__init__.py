"""What is around documents: folders, files on disk, settings, projects and consent."""
