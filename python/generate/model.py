"""The public interface of the library, read from its headers by libclang."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import clang.cindex as clang
from clang.cindex import AccessSpecifier, AvailabilityKind, CursorKind

from types_ import qualified_name

DEFINED = (CursorKind.STRUCT_DECL, CursorKind.CLASS_DECL)
TEMPLATES = (CursorKind.FUNCTION_TEMPLATE, CursorKind.CLASS_TEMPLATE,
             CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION)
NAMES_OF_ENUMS = ("enum_names", "old_enum_names")


@dataclass
class Class:
    cursor: object
    name: str  # alembert::identify::RefineOptions
    module: str  # identify
    parent: "Class | None" = None
    fields: list = field(default_factory=list)
    methods: dict = field(default_factory=dict)  # name -> cursors
    constructors: list = field(default_factory=list)
    bases: list = field(default_factory=list)
    is_abstract: bool = False

    @property
    def short(self):
        return self.cursor.spelling

    @property
    def python(self):
        inside = f"{self.parent.python}.{self.short}" if self.parent else f"alembert.{self.module}.{self.short}"
        return inside


@dataclass
class Enum:
    cursor: object
    name: str
    module: str
    parent: Class | None = None

    @property
    def short(self):
        return self.cursor.spelling

    @property
    def python(self):
        return f"{self.parent.python}.{self.short}" if self.parent else f"alembert.{self.module}.{self.short}"


@dataclass
class Interface:
    items: list = field(default_factory=list)  # classes and enums in the order of declaration
    functions: dict = field(default_factory=dict)  # (module, name) -> cursors
    constants: list = field(default_factory=list)  # (module, cursor)
    templates: list = field(default_factory=list)  # qualified names

    @property
    def classes(self):
        return [item for item in self.items if isinstance(item, Class)]

    @property
    def enums(self):
        return [item for item in self.items if isinstance(item, Enum)]


def module_of(namespace):
    """alembert::model::planar -> model.planar; alembert itself is core."""
    parts = namespace.split("::")[1:]
    if not parts or parts == ["check"]:
        parts = ["core"] + parts
    return ".".join(parts)


def comment_of(cursor):
    """The text of the `///` comment, without its marks."""
    raw = cursor.raw_comment or ""
    lines = [re.sub(r"^\s*(///<|///|//!|\*/|/\*\*|\*)? ?", "", line) for line in raw.splitlines()]
    return "\n".join(line.rstrip() for line in lines).strip()


class Reader:
    def __init__(self, root, arguments):
        self.root = Path(root)
        self.interface = Interface()
        self.seen = set()
        index = clang.Index.create()
        options = clang.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES
        header = self.root / "include/alembert/alembert.hpp"
        unit = index.parse(str(header), args=arguments, options=options)
        errors = [str(d) for d in unit.diagnostics if d.severity >= clang.Diagnostic.Error]
        if errors:
            raise SystemExit("generate: the headers do not compile:\n" + "\n".join(errors[:5]))
        self.unit = unit  # keeps the cursors alive
        for cursor in unit.cursor.get_children():
            if cursor.kind == CursorKind.NAMESPACE and cursor.spelling == "alembert":
                self.namespace(cursor, "alembert")

    def is_public(self, cursor):
        file = cursor.location.file
        if file is None:
            return False
        path = str(file.name)
        return "include/alembert/" in path and "/detail/" not in path

    def namespace(self, cursor, name):
        for child in cursor.get_children():
            if child.kind == CursorKind.NAMESPACE:
                self.namespace(child, f"{name}::{child.spelling}" if child.spelling else name)
            elif self.is_public(child):
                self.declaration(child, name)

    def declaration(self, cursor, namespace):
        module = module_of(namespace)
        if cursor.kind in DEFINED and cursor.is_definition():
            self.class_of(cursor, module, None)
        elif cursor.kind == CursorKind.ENUM_DECL and cursor.is_definition():
            self.interface.items.append(Enum(cursor, qualified_name(cursor), module))
        elif cursor.kind == CursorKind.FUNCTION_DECL:
            self.function(cursor, module)
        elif cursor.kind in TEMPLATES:
            self.interface.templates.append(qualified_name(cursor) + "<>")
        elif cursor.kind == CursorKind.VAR_DECL:
            self.interface.constants.append((module, cursor))

    def function(self, cursor, module):
        if cursor.spelling in NAMES_OF_ENUMS or cursor.spelling.startswith("operator"):
            return
        if cursor.get_usr() in self.seen:
            return
        self.seen.add(cursor.get_usr())
        self.interface.functions.setdefault((module, cursor.spelling), []).append(cursor)

    def class_of(self, cursor, module, parent):
        if not cursor.spelling:
            return
        made = Class(cursor, qualified_name(cursor), module, parent)
        made.is_abstract = cursor.is_abstract_record()
        self.interface.items.append(made)
        for child in cursor.get_children():
            if child.kind == CursorKind.CXX_BASE_SPECIFIER:
                if child.access_specifier == AccessSpecifier.PUBLIC:
                    made.bases.append(child.type)
            elif child.access_specifier == AccessSpecifier.PUBLIC:
                self.member(child, made, module)

    def member(self, cursor, made, module):
        deleted = cursor.availability == AvailabilityKind.NOT_AVAILABLE
        if cursor.kind == CursorKind.FIELD_DECL:
            made.fields.append(cursor)
        elif cursor.kind in DEFINED and cursor.is_definition():
            self.class_of(cursor, module, made)
        elif cursor.kind == CursorKind.ENUM_DECL and cursor.is_definition() and cursor.spelling:
            self.interface.items.append(Enum(cursor, qualified_name(cursor), module, made))
        elif cursor.kind == CursorKind.CONSTRUCTOR and not deleted:
            if not (cursor.is_copy_constructor() or cursor.is_move_constructor()):
                made.constructors.append(cursor)
        elif cursor.kind == CursorKind.CXX_METHOD and not deleted:
            made.methods.setdefault(cursor.spelling, []).append(cursor)
        elif cursor.kind in TEMPLATES:
            self.interface.templates.append(qualified_name(cursor) + "<>")


def default_of(parameter):
    """The text of a default argument, None if there is none."""
    tokens = [token.spelling for token in parameter.get_tokens()]
    depth = 0
    for i, token in enumerate(tokens):
        depth += token.count("<") - token.count(">")
        if token == "=" and depth <= 0:
            return " ".join(tokens[i + 1:]).replace("{ }", "{}")
    return None
