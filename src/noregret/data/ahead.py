"""Work done ahead on several threads, with its results in order."""

from __future__ import annotations

import atexit
import os
import threading
import time
import weakref
from collections.abc import Callable, Generator, Iterator
from typing import Any, Generic, TypeVar

from noregret.errors import BadInput

T = TypeVar("T")
R = TypeVar("R")


def in_order(
    take: Callable[[bytearray], T | None],
    work: Callable[[T], R],
    threads: int | None = None,
    lend: bool = False,
) -> Generator[R, None, None]:
    """Yield work(item) for every item that `take` gives, in that order; None is the end.

    Each thread has a room of its own, into which `take` may read; items are taken one at a time and
    worked on side by side, at most two a thread before they are wanted. With `lend` the thread that
    asks is one of them: it works too, instead of waiting. That is for items that are at hand, since
    whoever waits for the next one cannot hand out the last. What `take` or `work` raises is raised
    here, at its place. Closing the iterator ends the threads.
    """
    crew = _Crew(take, work, threads or os.cpu_count() or 1, lend)
    try:
        yield from crew.results()
    finally:
        crew.dismiss()


def require_own_process(process: int) -> None:
    """Refuse a forked process: the threads are not there, and what it reads the other would miss."""
    if os.getpid() != process:
        raise BadInput("this stream was begun in another process; read it anew in this one")


class _Crew(Generic[T, R]):
    def __init__(
        self, take: Callable[[bytearray], T | None], work: Callable[[T], R], threads: int, lend: bool
    ) -> None:
        self.take, self.work, self.lend = take, work, lend
        self.taking = threading.Lock()
        self.changed = threading.Condition()
        self.done: dict[int, R | BaseException | None] = {}  # by number; None is the end
        self.taken = 0
        self.stopped = False
        self.process = os.getpid()
        self.room = threading.Semaphore(2 * threads)
        self.threads: list[threading.Thread] = []
        _CREWS.add(self)
        for _ in range(threads - lend):
            thread = threading.Thread(target=self.run, daemon=True)
            thread.start()
            self.threads.append(thread)

    def run(self) -> None:
        room = bytearray()
        while not self.stopped:
            self.room.acquire()
            if not self.one(room):
                return

    def one(self, room: bytearray) -> bool:
        """Take one item and work on it; False when there is no more to do."""
        with self.taking:
            if self.stopped:
                return False
            number = self.taken
            self.taken += 1
            try:
                item = self.take(room)
            except BaseException as problem:
                self.stopped = True
                self.put(number, problem)
                return False
            if item is None:
                self.stopped = True
                self.put(number, None)
                return False
        try:
            self.put(number, self.work(item))
        except BaseException as problem:
            self.put(number, problem)
        return True

    def put(self, number: int, result: R | BaseException | None) -> None:
        with self.changed:
            self.done[number] = result
            self.changed.notify()

    def results(self) -> Iterator[R]:
        number, room = 0, bytearray()
        require_own_process(self.process)
        while True:
            while self.lend and number not in self.done and self.room.acquire(blocking=False):
                if not self.one(room):
                    break
            with self.changed:
                while number not in self.done:
                    self.changed.wait()
                result = self.done.pop(number)
            if result is None:
                return
            if isinstance(result, BaseException):
                raise result
            yield result
            require_own_process(self.process)  # before any lock: a thread that is not here may have held it
            del result  # its memory may be wanted
            self.room.release()
            number += 1

    def dismiss(self) -> None:
        """End the threads. One that waits for a pipe ends when the pipe says something."""
        if os.getpid() != self.process:
            return  # they are not here, and may hold locks for ever
        self.stopped = True
        for _ in self.threads:
            self.room.release()
        patience = time.monotonic() + 0.5
        for thread in self.threads:
            thread.join(timeout=max(0.0, patience - time.monotonic()))
        self.done.clear()  # nobody wants it, and the error that ended the run may be kept for long


_CREWS: weakref.WeakSet[_Crew[Any, Any]] = weakref.WeakSet()


@atexit.register
def _dismiss_all() -> None:
    """Before Python ends: a thread that is in the core by then is torn out of it, and the process with it."""
    for crew in list(_CREWS):
        crew.dismiss()
