"""Answers from documentation in its own words, with a citation that anyone can check, or an honest refusal."""
