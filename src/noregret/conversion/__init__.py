"""From online to batch: one fixed predictor out of a run."""
