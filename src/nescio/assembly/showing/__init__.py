"""What does a reader of a page see, block by block and as Markdown?"""
