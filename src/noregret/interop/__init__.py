"""noregret in other people's tools: scikit-learn and River, in both directions."""
