"""What the stand-in model says to each kind of prompt: one module for what is akin."""
