"""What is in this folder? Files to documents, documents to blocks, blocks to passages."""
