"""The addresses of the server, a file a group."""
