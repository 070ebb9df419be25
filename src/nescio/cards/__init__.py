"""What do the documents say of each unit, fact by fact, and do the cards that were written still say so?"""
