"""The words of other interfaces: what is asked in them, and what is answered in them.

Nothing here knows HTTP: requests are checked and taken apart, answers are put together.
"""
