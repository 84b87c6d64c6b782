"""A log of what was answered, in which nothing can be altered, dropped or put in unseen."""
