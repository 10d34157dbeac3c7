"""From headers to files."""

import json

from clang.cindex import CursorKind

from emit import Emitter, raw
from exclusions import Exclusions
from model import Class, Reader, comment_of
from pathlib import Path
from plan import Planner


def write(path, text):
    """Writes a file unless it holds this text already."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def fail(planner):
    lines = [f"  {name}  {reason}" for name, reason in sorted(set(planner.missing))]
    lines += [f"  {pattern}  (excludes nothing)" for pattern in planner.exclusions.unused()]
    if lines:
        raise SystemExit("generate: neither bound nor listed in exclusions.txt:\n" + "\n".join(lines))


class Work:
    """What is bound, in the order of declaration: (module, weight, emit)."""

    def __init__(self, interface, planner):
        self.pieces = []
        self.names = {}
        self.classes = {}
        for item in planner.items:
            if isinstance(item, Class):
                self.classes[item.name] = planner.bind_class(item)
        for item in planner.items:
            if item.parent is None:
                self.pieces.append(("item", item.module, item))
        self.functions = []
        for (module, name), cursors in interface.functions.items():
            scope = cursors[0].semantic_parent
            spelled = namespace_of(scope)
            for function in planner.functions({name: cursors}, spelled):
                self.functions.append((module, spelled, function))
        self.constants = [(m, c) for m, c in interface.constants if not planner.is_excluded(namespace_of(c.semantic_parent) + "::" + c.spelling)]
        self.planner = planner

    def nested(self, item):
        return [other for other in self.planner.items if other.parent is item]


def namespace_of(cursor):
    names = []
    while cursor is not None and cursor.kind == CursorKind.NAMESPACE:
        if cursor.spelling:
            names.insert(0, cursor.spelling)
        cursor = cursor.semantic_parent
    return "::".join(names)


def emit_item(emitter, work, item, scope):
    if not isinstance(item, Class):
        values = [(c.spelling, comment_of(c)) for c in item.cursor.get_children() if c.kind == CursorKind.ENUM_CONSTANT_DECL]
        emitter.enum(item, comment_of(item.cursor), values, scope)
        return
    bound = work.classes[item.name]
    variable = emitter.class_(bound, scope)
    for inner in work.nested(item):
        emit_item(emitter, work, inner, variable)


def weight(work, piece):
    if piece[0] != "item" or not isinstance(piece[2], Class):
        return 6 if piece[0] == "function" else 3
    bound = work.classes[piece[2].name]
    return 6 + len(bound.fields) + 2 * len(bound.methods)


def shards(work, count):
    """Contiguous parts of about the same size; classes in the order of declaration come first."""
    pieces = list(work.pieces) + [("function", m, (s, f)) for m, s, f in work.functions]
    pieces += [("constant", m, c) for m, c in work.constants]
    total = sum(weight(work, piece) for piece in pieces)
    parts, filled = [[] for _ in range(count)], 0.0
    for piece in pieces:
        parts[min(count - 1, int(filled * count / total))].append(piece)
        filled += weight(work, piece)
    return parts


def scope_text(module):
    return f'module_named(root, "{module}")'


def header_of(cursor):
    return "alembert/" + str(cursor.location.file.name).split("include/alembert/")[1]


def shard_text(work, part, number):
    emitter = Emitter()
    headers = []
    for kind, module, thing in part:
        if kind == "item":
            headers.append(header_of(thing.cursor))
            emit_item(emitter, work, thing, scope_text(module))
        elif kind == "function":
            space, function = thing
            headers += [header_of(form.cursor) for form in function.forms]
            emitter.function(function, (space, None), scope_text(module), "function")
        else:
            headers.append(header_of(thing))
            name = f"::{namespace_of(thing.semantic_parent)}::{thing.spelling}"
            emitter.body.append(
                f'  {scope_text(module)}.attr("{thing.spelling}") = '
                f"Convert<std::remove_cvref_t<decltype({name})>>::to({name});")
    return emitter.text(sorted(set(headers)), f"bind_{number}")


def names_of(work, planner):
    """The list that a test compares with the module: every C++ name and its Python name."""
    names = {}
    for bound in work.classes.values():
        names[bound.source.name] = bound.source.python
        for one in bound.fields:
            names[f"{bound.source.name}::{one.name}"] = f"{bound.source.python}.{one.python}"
        for one in bound.methods:
            names[f"{bound.source.name}::{one.name}"] = f"{bound.source.python}.{one.python}"
    for item in planner.items:
        names.setdefault(item.name, item.python)
    for module, space, function in work.functions:
        names[f"{space}::{function.name}"] = f"alembert.{module}.{function.python}"
    for module, cursor in work.constants:
        names[f"{namespace_of(cursor.semantic_parent)}::{cursor.spelling}"] = f"alembert.{module}.{cursor.spelling}"
    return {"bound": dict(sorted(names.items())), "left_out": dict(sorted(planner.left_out.items()))}


def build(arguments):
    include = [f"-I{folder}" for folder in [arguments.root / "include", *arguments.include]]
    reader = Reader(arguments.root, ["-xc++", "-std=c++20", *include])
    exclusions = Exclusions(Path(__file__).parent / "exclusions.txt")
    planner = Planner(reader.interface, exclusions)
    work = Work(reader.interface, planner)
    fail(planner)
    parts = shards(work, arguments.shards)
    for number, part in enumerate(parts):
        write(arguments.out / f"bind_{number}.cpp", shard_text(work, part, number))
    declared = "\n".join(f"void bind_{n}(const py::module_& root);" for n in range(len(parts)))
    called = "\n".join(f"  bind_{n}(root);" for n in range(len(parts)))
    write(arguments.out / "bind_all.cpp",
          '// Made by python/generate. Not to be edited.\n#include "bind/modules.hpp"\n\n'
          f"namespace alembert::python {{\n\n{declared}\n\nvoid bind_all(const py::module_& root) {{\n{called}\n}}\n\n}}  // namespace alembert::python\n")
    write(arguments.out / "names.json", json.dumps(names_of(work, planner), indent=1) + "\n")
    if arguments.stubs:
        from stubs import write_stubs
        write_stubs(work, planner, arguments.stubs, write)
