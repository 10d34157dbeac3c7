"""Decides what is bound: classes, fields, methods, functions with the Python form of each."""

from dataclasses import dataclass, field
from pathlib import Path

from clang.cindex import CursorKind, RefQualifierKind, TypeKind

from model import comment_of, default_of
from types_ import Types, Unsupported, plain, qualified_name

OPERATORS = {"operator==": "__eq__", "operator[]": "__getitem__", "operator()": "__call__"}
KEYWORDS = {"None", "True", "False", "lambda", "from", "in", "is", "not", "and", "or", "with", "as", "def", "class", "None", "pass", "yield",
            "import", "global", "del", "try", "raise", "if", "else", "for", "while"}


@dataclass
class Parameter:
    name: str
    type: object  # PythonType
    by_reference: bool  # to something that is not const
    default: str | None  # C++ text


@dataclass
class Form:
    """One overload."""
    parameters: list
    result: object
    cursor: object
    is_static: bool = False
    is_const: bool = True
    options: str | None = None  # C++ class of the last argument whose fields are keywords
    stops: list = field(default_factory=list)  # paths inside the options
    progress: list = field(default_factory=list)

    @property
    def controlled(self):
        return bool(self.stops or self.progress)


@dataclass
class Function:
    name: str  # in C++
    python: str
    forms: list
    doc: str


@dataclass
class Field:
    name: str
    python: str
    type: object
    doc: str


@dataclass
class BoundClass:
    source: object  # model.Class
    doc: str
    base: object | None  # BoundClass's model.Class
    fields: list
    methods: list
    constructors: list


def python_name(name):
    return name + "_" if name in KEYWORDS else name


def field_docs(cursors):
    """A comment behind several fields of one declaration is that of all of them."""
    docs = {}
    following = ""
    line = None
    for cursor in reversed(cursors):
        own = comment_of(cursor)
        same = line is not None and cursor.extent.start.line == line
        docs[cursor.spelling] = own or (following if same else "")
        following, line = docs[cursor.spelling], cursor.extent.start.line
    return docs


def type_doc(kind):
    """What the comment of a type says, for a field that has none of its own."""
    if kind.kind == TypeKind.POINTER:
        return type_doc(kind.get_pointee())
    declared = kind.get_declaration()
    if not str(declared.location.file or "").count("include/alembert/"):
        arguments = kind.get_num_template_arguments()
        return type_doc(kind.get_template_argument_type(0)) if arguments > 0 else ""
    text = comment_of(declared).split("\n\n")[0]
    if not text and kind.get_canonical().kind == TypeKind.ENUM:
        values = [c.spelling for c in declared.get_children() if c.kind == CursorKind.ENUM_CONSTANT_DECL]
        text = "one of " + ", ".join(values)
    return text or f"see {declared.spelling}"


def comment_behind(cursor):
    """The comment behind a declaration of several lines, which libclang does not see."""
    end = cursor.extent.end
    lines = Path(end.file.name).read_text(encoding="utf-8").splitlines()
    return lines[end.line - 1].partition("///<")[2].strip()


class Planner:
    def __init__(self, interface, exclusions):
        self.interface = interface
        self.exclusions = exclusions
        self.missing = []  # what is neither bound nor excluded
        self.left_out = {}  # name -> reason
        kept = [i for i in interface.items if not self.is_excluded(i.name)]
        self.items = kept
        self.types = Types(
            {i.name: i.python for i in kept if i in interface.classes},
            {i.name: i.python for i in kept if i in interface.enums})
        self.by_name = {i.name: i for i in kept}
        for name in interface.templates:
            if not self.is_excluded(name):
                self.missing.append((name, "is a template"))

    def is_excluded(self, name):
        reason = self.exclusions.reason(name)
        if reason is not None:
            self.left_out[name] = reason
        return reason is not None

    def supported(self, name, make, signature=None):
        """The result of make(), or None where it is excluded or cannot be.

        One of several overloads is excluded by its signature, as messages write it."""
        if self.is_excluded(name) or (signature and self.is_excluded(signature)):
            return None
        try:
            return make()
        except Unsupported as reason:
            self.missing.append((signature or name, str(reason)))
            return None

    def bind_class(self, item):
        docs = field_docs(item.fields)
        fields = []
        for cursor in item.fields:
            made = self.supported(
                f"{item.name}::{cursor.spelling}", lambda c=cursor: self.field(c, docs))
            if made:
                fields.append(made)
        return BoundClass(
            item, comment_of(item.cursor), self.base_of(item), fields,
            self.functions({n: c for n, c in item.methods.items()}, item.name),
            [] if item.is_abstract else self.constructors(item))

    def field(self, cursor, docs):
        if plain(cursor.type) != cursor.type.get_canonical():
            raise Unsupported("a reference")
        made = self.types.of(cursor.type)
        if made.kind in ("view", "span", "text_view", "result"):
            raise Unsupported("a view of memory that others own")
        doc = docs[cursor.spelling] or comment_behind(cursor) or type_doc(cursor.type)
        return Field(cursor.spelling, python_name(cursor.spelling), made, doc)

    def base_of(self, item):
        for base in item.bases:
            name = qualified_name(base.get_canonical().get_declaration())
            if name in self.types.classes:
                return self.by_name[name]
        return None

    def constructors(self, item):
        forms = []
        for cursor in item.constructors:
            name = f"{item.name}::{item.short}"
            made = self.supported(name, lambda c=cursor: self.form(c, item.name))
            if made:
                forms.append(made)
        return forms

    def functions(self, named, scope):
        bound = []
        for name, cursors in named.items():
            python = OPERATORS.get(name, python_name(name))
            if name.startswith("operator") and name not in OPERATORS:
                self.supported(f"{scope}::{name}", self.no_operator)
                continue
            forms = []
            for cursor in cursors:
                made = self.supported(f"{scope}::{name}", lambda c=cursor: self.form(c, scope),
                                      f"{scope}::{cursor.displayname.replace(' ', '')}")
                if made:
                    forms.append(made)
            if forms:
                doc = "\n\n".join(dict.fromkeys(filter(None, (comment_of(f.cursor) for f in forms))))
                bound.append(Function(name, python, forms, doc))
        return bound

    @staticmethod
    def no_operator():
        raise Unsupported("an operator")

    def form(self, cursor, scope):
        if cursor.type.get_ref_qualifier() == RefQualifierKind.RVALUE:
            raise Unsupported("takes its object apart")
        parameters = [self.parameter(p, i) for i, p in enumerate(cursor.get_arguments())]
        is_constructor = cursor.kind == CursorKind.CONSTRUCTOR
        result = None if is_constructor else self.result(cursor)
        form = Form(parameters, result, cursor,
                    is_static=cursor.kind == CursorKind.CXX_METHOD and cursor.is_static_method(),
                    is_const=cursor.kind == CursorKind.CXX_METHOD and cursor.is_const_method())
        self.find_options(form, is_constructor)
        return form

    def result(self, cursor):
        made = self.types.of(cursor.result_type)
        if made.kind in ("span",):
            raise Unsupported("returns a view of memory")
        return made

    def parameter(self, cursor, place):
        canonical = cursor.type.get_canonical()
        made = self.types.of(canonical)
        if made.kind == "result":
            raise Unsupported(f"{made.cpp} is for results only")
        by_reference = (canonical.kind == TypeKind.LVALUEREFERENCE
                        and not canonical.get_pointee().is_const_qualified())
        if by_reference and made.kind != "object":
            raise Unsupported(f"writes to its argument {cursor.spelling}")
        name = cursor.spelling or f"argument_{place + 1}"
        return Parameter(python_name(name), made, by_reference, default_of(cursor))

    def find_options(self, form, is_constructor):
        """Fields of a last argument that is a struct of options are keywords."""
        if not form.parameters:
            return
        last = form.parameters[-1]
        if last.type.kind != "object" or last.by_reference:
            return
        item = self.by_name[last.type.cpp]
        short = item.short
        if not (short.endswith("Options") or short.endswith("Settings")) or not item.fields:
            return
        form.options = last.type.cpp
        if last.default is None and all(p.default is None for p in form.parameters):
            last.default = "{}"
        if not is_constructor and form.cursor.kind == CursorKind.FUNCTION_DECL:
            self.find_controls(item, "", form)

    def find_controls(self, item, path, form):
        for base in item.bases:
            name = qualified_name(base.get_canonical().get_declaration())
            if name in self.by_name:
                self.find_controls(self.by_name[name], path, form)
        for cursor in item.fields:
            spelled = cursor.type.get_canonical().spelling
            place = f"{path}.{cursor.spelling}"
            if spelled == "const alembert::StopFlag *":
                form.stops.append(place)
            elif spelled == "std::function<void (unsigned long, unsigned long)>":
                form.progress.append(place)
            elif spelled in self.by_name and spelled in self.types.classes:
                self.find_controls(self.by_name[spelled], place, form)
