"""noregret in other people's tools: scikit-learn and River, in both directions."""

NEEDS_SKLEARN = "this needs scikit-learn 1.6 or newer: pip install 'noregret[sklearn]'"
NEEDS_RIVER = "this needs River: pip install 'noregret[river]'"
