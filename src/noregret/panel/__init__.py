"""Many learners in one pass over the data, aggregated by an expert rule."""
