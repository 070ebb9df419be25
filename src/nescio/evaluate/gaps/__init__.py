"""What was asked and refused, and what do the documents lack?"""
