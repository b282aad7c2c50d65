"""What all tests share: no test is judged by how long it takes, and Ctrl-C is heard."""

import gc
import signal

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

# A shell that starts the tests in the background has it ignored, by them and by what they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish():
    """Let the garbage collector, which some laws call, look at what a test made, and not at all that was imported."""
    gc.collect()
    gc.freeze()
