"""Messages and mailboxes."""
