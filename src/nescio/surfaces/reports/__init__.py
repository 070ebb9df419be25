"""How is an evaluation told in a file: to people as a page, to build servers as JUnit XML?"""
