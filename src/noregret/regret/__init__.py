"""A run beside what it is compared with."""
