from typing import Any

__version__: str

class InvalidInput(ValueError):
    function: str
    item: str
    argument: str
    rule: str
    value: str

class DataError(RuntimeError):
    file: str
    line: int
    column: int
    byte: int
    reason: str
    problems: list[str]

class EquationError(ValueError):
    file: str
    line: int
    column: int
    reason: str

class StudyError(ValueError):
    file: str
    line: int
    column: int
    byte: int
    reason: str
    problems: list[str]

def __getattr__(name: str) -> Any: ...
