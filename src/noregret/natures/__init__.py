"""Natures: streams made from arrays, from rules, from chance; and adversaries."""
