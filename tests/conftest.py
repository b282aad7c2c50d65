"""What all tests share: no test is judged by how long it takes."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
