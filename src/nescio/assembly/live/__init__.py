"""How does what is served follow the files and the index while they change?"""
