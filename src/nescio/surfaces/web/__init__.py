"""How do browsers and programs ask over HTTP?"""
