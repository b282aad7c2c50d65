"""What could have been had, known only afterwards: witnesses, and the best that was possible."""
