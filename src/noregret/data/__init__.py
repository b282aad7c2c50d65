"""Data files as streams: one file a format."""
