"""Which passages share words with the question? And: where is everything kept?"""
