"""The game: a learner plays against a nature, and nothing but this room orders their moves."""
