"""What are the things that nescio speaks of? Frozen values without input or output."""
