"""How do language models read the documents as files?"""
