"""How often is it right, and how often does it answer what it should refuse?"""
