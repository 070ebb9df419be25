"""How do people and programs reach it?"""
