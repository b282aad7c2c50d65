"""Rules that weigh experts: one file a rule, its theorem beside it."""
