"""Pincite for agents, by the Model Context Protocol: tools that quote, documents as resources."""
