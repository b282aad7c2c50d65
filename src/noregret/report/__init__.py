"""Reports: one HTML file with everything in it, that opens without a network."""
