"""What are the blocks of this document, and exactly where do they stand?"""
