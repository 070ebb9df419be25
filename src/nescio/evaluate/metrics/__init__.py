"""How is each figure worked out? One a file, from plain values to a number."""
