"""Which questions are asked, and what is right? Question files, read into cases."""
