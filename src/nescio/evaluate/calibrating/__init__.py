"""Which floor fits a question file?"""
