"""What all tests share: no test is judged by how long it takes, and Ctrl-C is heard."""

import gc
import os
import signal

import pytest
from hypothesis import settings

# The cores are taken: tests run side by side. Set before numpy is imported, here and in what tests start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

# A shell that starts the tests in the background has it ignored, by them and by what they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="module")
def _short_work_for_the_garbage_collector():
    """Some laws call it: let it look at what a test made, and not at all that was imported before."""
    gc.collect()
    gc.freeze()
