"""The server: what `pincite serve` puts behind one address, and what it is made of.

`service` is all of it without HTTP: what is asked there has a caller, and gets what that caller may
see. `app` makes an ASGI application of it; nothing but `app` and `routes` needs the extra `server`.
"""
