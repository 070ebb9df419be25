"""How do people reach it from a terminal?"""
