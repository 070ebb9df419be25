"""Which implementations make an engine out of this configuration?"""
