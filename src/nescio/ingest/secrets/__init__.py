"""Which parts of a text are secrets, which of them are let through, and how is the rest kept out of everything we store?"""
