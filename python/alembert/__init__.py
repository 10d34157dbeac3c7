"""Mechanical models you can trust from measured motion.

The modules have the names of the C++ library: ``alembert.identify``, ``alembert.estimate``, ``alembert.signal``,
``alembert.model``, ``alembert.integrate``, ``alembert.optimize``, ``alembert.io``, ``alembert.reduce``,
``alembert.update``, ``alembert.code``, ``alembert.study``. A study runs by ``alembert.run("study.toml")``.
"""

from typing import TYPE_CHECKING

from ._alembert import DataError, EquationError, InvalidInput, StudyError, __version__
from . import _objects  # results print, compare, pickle
from . import code, core, document, estimate, identify, integrate, io, model, optimize, reduce, report, signal, study, update
from ._hints import missing_name
from ._records import record
from .study import Reproduction, Result, Study, check, export, keys, mechanism, reproduce, run

__all__ = [
    "DataError", "EquationError", "InvalidInput", "Reproduction", "Result", "Study", "StudyError", "check", "code", "core", "document", "estimate",
    "export", "identify", "integrate", "io", "keys", "mechanism", "model", "optimize", "record", "reduce", "report", "reproduce",
    "run", "signal", "study", "update",
]

if not TYPE_CHECKING:  # for mypy every name would be there
    __getattr__ = missing_name(__name__)
