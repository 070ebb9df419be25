"""Does what was built from the sources, and what is expected of them, still match them?"""
