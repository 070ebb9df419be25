"""Which questions could be asked of the documents? Drafts, for a person to review."""
