"""What did the user set, and where did each value come from?"""
