"""Do the words that somebody holds still stand where they say?"""
