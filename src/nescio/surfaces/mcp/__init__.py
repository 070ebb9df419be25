"""How do agents ask?"""
