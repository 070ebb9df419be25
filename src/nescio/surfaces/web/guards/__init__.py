"""Who may ask, how often and how much, before any route looks at it?"""

from nescio.surfaces.web.guards.chain import Guards, guarded

__all__ = ["Guards", "guarded"]
