"""Finite classes of hypotheses: their dimensions, and one file a learner with its theorem beside it."""
