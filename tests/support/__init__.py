"""Small corpora, builds and processes that several test files use."""
