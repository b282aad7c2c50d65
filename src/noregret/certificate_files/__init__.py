"""Certificates that travel: written, read again, and checked by who did not play."""
