"""Linear learners: one file a learner, its theorems beside it."""
