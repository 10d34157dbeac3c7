"""Writes type stubs: what mypy and editors know of the compiled module."""

import re

from clang.cindex import CursorKind

from emit import signature_default
from model import Class
from plan import python_name

HEAD = '''# Made by python/generate from the public headers. Not to be edited.
import os
import pathlib
from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy
from numpy.typing import ArrayLike

import alembert
'''


# What the Python part of the package adds.
EXTRA = {
    "study": '''
from alembert._results import Reproduction as Reproduction, Result as Result

class Study:
    file: pathlib.Path
    text: str
    def __init__(self, source: str | os.PathLike[str] | dict[str, Any], records: dict[str, Any] | None = None, *,
                 seed: int | None = None, folder: str | os.PathLike[str] | None = None, **changes: Any) -> None: ...
    @property
    def task(self) -> str: ...
    def remarks(self) -> tuple[str, ...]: ...
    def run(self, *, out: str | os.PathLike[str] | None = None, threads: int = 0,
            progress: bool | Callable[[int, int], None] = False) -> Result: ...

def run(source: str | os.PathLike[str] | dict[str, Any], records: dict[str, Any] | None = None, *,
        out: str | os.PathLike[str] | None = None, threads: int = 0,
        progress: bool | Callable[[int, int], None] = False, seed: int | None = None, **changes: Any) -> Result: ...
def check(source: str | os.PathLike[str] | dict[str, Any], records: dict[str, Any] | None = None,
          **changes: Any) -> list[str]: ...
def keys(path: str = "") -> str: ...
def mechanism(source: str | os.PathLike[str] | dict[str, Any]) -> alembert.model.planar.Mechanism: ...
def reproduce(name: str | None = None, *, full: bool = False, threads: int = 0,
              data: str | os.PathLike[str] | None = None, out: str | os.PathLike[str] | None = None,
              progress: bool | Callable[[int, int], None] = False) -> Any: ...
''',
}


def default_text(parameter):
    made = signature_default(parameter.default)
    return "..." if made == "..." else made


SHORT = {
    "Sequence[alembert.identify.Experiment | dict[str, Any]]": " | alembert.identify.Experiment | dict[str, Any]",
    "Sequence[alembert.optimize.Parameter | dict[str, Any]]": " | dict[str, Any]",
}


def argument(parameter):
    text = parameter.type.argument
    text += SHORT.get(text, "")
    if parameter.default is None:
        return f"{parameter.name}: {text}"
    made = default_text(parameter)
    if made == "None" and "None" not in text:
        text += " | None"
    return f"{parameter.name}: {text} = {made}"


def option_parts(form, taken):
    """Fields of the options as keywords; keys of studies, which only the module itself knows, are of any type."""
    fields = inherited(Known.work, Known.work.classes[form.options])
    parts = [f"{one.python}: {one.type.argument} = ..." for one in fields if one.python not in taken]
    return parts + ["**keys: Any"]


def arguments(form, method):
    parts = ["self"] if method else []
    parts += [argument(parameter) for parameter in form.parameters]
    if form.controlled or form.options:
        parts.append("*")
    taken = {parameter.name for parameter in form.parameters} | {"progress", "self"}
    if form.controlled:
        parts.append("progress: bool | Callable[[int, int], None] = False")
    if form.options:
        parts += option_parts(form, taken)
        if parts[-2] == "*":
            del parts[-2]
    return ", ".join(parts)


class Known:
    """What is bound, for all functions here; set by write_stubs()."""
    work = None


def docstring(text, indent):
    if not text:
        return ["..."]
    safe = text.replace("\\", "\\\\").replace('"""', "'''")
    lines = safe.splitlines()
    return [f'"""{lines[0]}', *[f"{indent}{line}".rstrip() for line in lines[1:]], f'{indent}"""', f"{indent}..."]


def function_lines(function, indent, method):
    lines = []
    for form in function.forms:
        static = method and form.is_static
        if len(function.forms) > 1:
            lines.append(f"{indent}@overload")
        if static:
            lines.append(f"{indent}@staticmethod")
        result = form.result.result if form.result else "None"
        if function.python == "__eq__":
            lines.append(f"{indent}def __eq__(self, other: object) -> bool: ...")
            return lines[-1:]
        lines.append(f"{indent}def {function.python}({arguments(form, method and not static)}) -> {result}:"
                     + ("  # type: ignore[misc]" if len(function.forms) > 1 else ""))
        inner = indent + "    "
        body = docstring(function.doc if form is function.forms[0] else "", inner)
        lines.append(inner + body[0])
        lines += body[1:]
    return lines


def takes_experiments(form):
    return bool(form.parameters) and form.parameters[0].type.cpp == "std::vector<alembert::identify::Experiment>"


def takes_input_output(form):
    return bool(form.parameters) and form.parameters[0].type.cpp == "std::vector<alembert::signal::InputOutput>"


def array_lines(function):
    """The form for arrays that alembert/_calls.py adds."""
    lines = []
    for form in function.forms:
        if takes_input_output(form):
            rest = "".join(f", {argument(p)}" for p in form.parameters[1:])
            lines += ["@overload", f"def {function.python}(u: ArrayLike, y: ArrayLike{rest}, "
                      f"**keys: Any) -> {form.result.result}: ..."]
        if takes_experiments(form):
            rest = "".join(f", {argument(p)}" for p in form.parameters[1:])
            lines += ["@overload", f"def {function.python}(u: ArrayLike, y: ArrayLike{rest}, *, step: float, "
                      f"start_time: float = 0.0, **keys: Any) -> {form.result.result}: ..."]
    return lines


def enum_lines(item, indent):
    inner = indent + "    "
    lines = [f"{indent}class {item.short}:"]
    for cursor in item.cursor.get_children():
        if cursor.kind == CursorKind.ENUM_CONSTANT_DECL:
            lines.append(f"{inner}{python_name(cursor.spelling)}: {item.python}")
    lines += [
        f"{inner}__members__: dict[str, {item.python}]",
        f"{inner}def __init__(self, text: str | {item.python}) -> None: ...",
        f"{inner}@property",
        f"{inner}def name(self) -> str: ...",
        f"{inner}@property",
        f"{inner}def value(self) -> str: ...",
    ]
    return lines


def field_lines(bound, inner):
    lines = []
    for one in bound.fields:
        lines += [f"{inner}@property", f"{inner}def {one.python}(self) -> {one.type.result}:"]
        body = docstring(one.doc, inner + "    ")
        lines.append(f"{inner}    {body[0]}")
        lines += body[1:]
        lines += [f"{inner}@{one.python}.setter",
                  f"{inner}def {one.python}(self, value: {one.type.argument}) -> None: ..."]
    return lines


def inherited(work, bound):
    fields = inherited(work, work.classes[bound.base.name]) if bound.base else []
    return fields + bound.fields


def constructor_lines(work, bound, inner):
    if bound.constructors and not bound.fields:
        lines = []
        for form in bound.constructors:
            if len(bound.constructors) > 1:
                lines.append(f"{inner}@overload")
            lines.append(f"{inner}def __init__({arguments(form, True)}) -> None: ...")
        return lines
    fields = inherited(work, bound)
    if not fields or bound.source.is_abstract:
        return []
    parts = ", ".join(f"{one.python}: {one.type.argument} = ..." for one in fields)
    return [f"{inner}def __init__(self, {parts}) -> None: ..."]


def class_lines(work, item, indent):
    if not isinstance(item, Class):
        return enum_lines(item, indent)
    bound = work.classes[item.name]
    inner = indent + "    "
    base = f"({bound.base.python})" if bound.base else ""
    lines = [f"{indent}class {item.short}{base}:"]
    body = docstring(bound.doc, inner)
    lines.append(inner + body[0])
    lines += [line for line in body[1:] if line.strip() != "..."]
    for nested in work.nested(item):
        lines += class_lines(work, nested, inner)
    lines += constructor_lines(work, bound, inner)
    lines += field_lines(bound, inner)
    for method in bound.methods:
        lines += function_lines(method, inner, True)
    if bound.fields:
        lines += [f"{inner}def to_dict(self) -> dict[str, Any]: ...",
                  f"{inner}def to_pandas(self) -> Any: ...",
                  f"{inner}def to_xarray(self) -> Any: ...",
                  f"{inner}def plot(self, name: str | None = None, axes: Any = None) -> list[Any]: ..."]
        if not any(method.python == "summary" for method in bound.methods) and not bound.base:
            lines.append(f"{inner}def summary(self) -> str: ...")
    return lines


def module_text(work, planner, module):
    lines = [HEAD]
    for item in planner.items:
        if item.module == module and item.parent is None:
            lines += class_lines(work, item, "") + [""]
    for name, _, function in work.functions:
        if name == module:
            with_arrays = module in ("identify", "signal") and any(
                takes_experiments(form) or takes_input_output(form) for form in function.forms)
            made = function_lines(function, "", False)
            if with_arrays and len(function.forms) == 1:
                made.insert(0, "@overload")
            lines += made + (array_lines(function) if with_arrays else []) + [""]
    for name, cursor in work.constants:
        if name == module:
            kind = planner.types.of(cursor.type).result
            lines.append(f"{cursor.spelling}: {kind}")
    return "\n".join(lines) + "\n" + EXTRA.get(module, "")


def modules_of(work):
    found = {piece[1] for piece in work.pieces} | {name for name, _, _ in work.functions}
    return sorted(found)


def with_imports(text, module):
    """Names all modules that the types mention."""
    used = sorted(set(re.findall(r"alembert(?:\.[a-z_]+)+(?=\.[A-Z])", text)))
    imports = "\n".join(f"import {name}" for name in used)
    return text.replace("import alembert\n", imports + "\n" if imports else "")


def write_stubs(work, planner, folder, write):
    """Modules with Python code of their own get the compiled names from a stub beside it."""
    Known.work = work
    modules = modules_of(work)
    for module in modules:
        has_inner = any(other.startswith(module + ".") for other in modules)
        path = folder / (module.replace(".", "/") + ("/__init__.pyi" if has_inner else ".pyi"))
        write(path, with_imports(module_text(work, planner, module), module))
