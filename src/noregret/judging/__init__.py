"""Certificates: rows read a second time, witnesses found in hindsight, theorems held against a run."""
