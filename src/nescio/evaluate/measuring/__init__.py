"""What came of the questions, how often was it right, and is that good enough?"""
