"""Names of the compiled module under the names that users import."""

import sys

from . import _alembert
from ._hints import missing_name


def names_of(module):
    """All names of a C++ namespace; namespaces inside it become modules."""
    compiled = _alembert
    for part in module.split("."):
        compiled = getattr(compiled, part)
    names = {name: value for name, value in vars(compiled).items() if not name.startswith("__")}
    for name, value in names.items():
        if isinstance(value, type(sys)):
            sys.modules[f"alembert.{module}.{name}"] = value
    names["__all__"] = sorted(name for name in names if not name.startswith("_"))
    names["__getattr__"] = missing_name(f"alembert.{module}")
    return names
