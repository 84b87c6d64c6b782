"""How good the answers from a folder are: questions with known answers, counted and learnt from."""
