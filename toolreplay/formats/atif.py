"""ATIF: the trajectories that Harbor and other runners of agents exchange.

A trajectory is one object with `steps`. A step's `tool_calls` pair with the `results` of its own `observation`, by
`source_call_id`. That is optional: results without one go to the calls of their step that have none, in order if there
are as many, and a single result goes to the last call. Steps that were copied from an earlier trajectory are left out;
trajectories of subagents that the file holds follow their parent's.
"""

from collections.abc import Iterator

from ..engine.canonical import Json
from .format import Format, Place, Reader, kind_of
from .held import ERROR, OK, UNKNOWN
from .session import ABSENT, Key, Session

_COPIED = "(copied context)"


class _Reader(Reader):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._trajectories = 0
        self._steps = 0

    def records(self, value: Json) -> Iterator[Json]:
        """Give the steps of a trajectory, then those of its subagents'."""
        for trajectory in value if isinstance(value, list) else (value,):
            if _recognises(trajectory):
                self._trajectories += 1
                self.session.tally.sessions = self._trajectories
                yield from _steps(trajectory)
            else:
                yield trajectory

    def take(self, record: Json, place: Place) -> str | None:
        if not isinstance(record, dict):
            return kind_of(record)
        if record.get("is_copied_context") is True:
            return _COPIED
        self._steps += 1
        line = place.of(record)
        keys = self._calls(self.listed(record.get("tool_calls"), line), place)
        observation = record.get("observation")
        if observation is not None and not isinstance(observation, dict):
            self.session.tally.not_read(line)
        results = observation.get("results") if isinstance(observation, dict) else None
        found = self._results(self.listed(results, line), keys, place, line)
        return None if keys or found else kind_of(record, "source")

    def _calls(self, calls: list[Json], place: Place) -> list[Key]:
        """Take a step's calls; give their keys, which are unique in the step."""
        keys: list[Key] = []
        for call in calls:
            call = call if isinstance(call, dict) else {}
            identifier = call.get("tool_call_id")
            key = self._key(identifier if isinstance(identifier, str) else len(keys))
            self.session.call(key, call.get("function_name"), call.get("arguments", ABSENT), place.of(call))
            keys.append(key)
        return keys

    def _results(self, results: list[Json], keys: list[Key], place: Place, line: int) -> bool:
        unnamed = []
        for result in results:
            if not isinstance(result, dict):
                self.session.tally.not_read(line)
                continue
            identifier = result.get("source_call_id")
            if isinstance(identifier, str):
                self._result(self._key(identifier), result, place)
            else:
                unnamed.append(result)
        waiting = [key for key in keys if not self.session.answered(key)]
        if len(unnamed) == 1:
            waiting = waiting[-1:]
        paired = len(waiting) == len(unnamed)
        for number, result in enumerate(unnamed):
            self._result(waiting[number] if paired else None, result, place)
        return bool(results)

    def _result(self, key: Key | None, result: dict[str, Json], place: Place) -> None:
        flag = result.get("is_error")
        status = {True: ERROR, False: OK}[flag] if isinstance(flag, bool) else UNKNOWN
        self.session.result(key, status, result.get("content", ABSENT), place.of(result))

    def _key(self, identifier: str | int) -> Key:
        return str(self._steps), identifier


def _steps(trajectory: Json) -> Iterator[Json]:
    waiting = [trajectory]
    while waiting:
        part = waiting.pop()
        if not isinstance(part, dict):
            yield part
            continue
        yield from _elements(part.get("steps"))
        waiting.extend(reversed(_elements(part.get("subagent_trajectories"))))


def _elements(value: Json) -> list[Json]:
    """Give the elements of a list, or what stands in its place, so that it is not passed over."""
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def _recognises(value: Json) -> bool:
    version = value.get("schema_version") if isinstance(value, dict) else None
    return isinstance(version, str) and version.startswith("ATIF-v")


FORMAT = Format(name="atif", reader=_Reader, recognises=_recognises)
