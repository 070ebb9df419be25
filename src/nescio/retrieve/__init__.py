"""How much of the question does a passage cover, and is that enough?"""
