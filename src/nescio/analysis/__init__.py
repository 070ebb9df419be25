"""What stands where in a text? Pure: text in, terms out."""
