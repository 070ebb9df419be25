"""Which exact words are shown?"""
