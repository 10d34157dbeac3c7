"""Which types of the library Python can have, and what they are called there."""

from clang.cindex import TypeKind

INTEGERS = {
    TypeKind.INT, TypeKind.UINT, TypeKind.LONG, TypeKind.ULONG, TypeKind.LONGLONG,
    TypeKind.ULONGLONG, TypeKind.SHORT, TypeKind.USHORT, TypeKind.UCHAR, TypeKind.SCHAR,
}
ARRAY_SCALARS = {"double": "float", "int": "int", "long": "int", "std::complex<double>": "complex"}


class Unsupported(Exception):
    """A type without a place in Python; the text says why."""


class PythonType:
    """A type as C++ writes it and as a stub writes it."""

    def __init__(self, cpp, result, argument=None, kind="value"):
        self.cpp = cpp
        self.result = result
        self.argument = argument or result
        self.kind = kind  # value, object, enum, view, span, text_view, pointer, function


def plain(kind_type):
    """The type without const, volatile and reference, in its canonical form."""
    made = kind_type.get_canonical()
    if made.kind in (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE):
        made = made.get_pointee()
    return made


def unqualified(spelling):
    return spelling[6:] if spelling.startswith("const ") else spelling


def qualified_name(declaration):
    names = []
    while declaration is not None and declaration.spelling and not declaration.kind.is_translation_unit():
        names.insert(0, declaration.spelling)
        declaration = declaration.semantic_parent
    return "::".join(name for name in names if name not in ("__cxx11", "__1"))


class Types:
    """Knows the bound classes and enums by their qualified C++ names."""

    def __init__(self, classes, enums):
        self.classes = classes  # name -> "alembert.identify.RefineOptions"
        self.enums = enums

    def of(self, clang_type):
        made = plain(clang_type)
        cpp = unqualified(made.spelling)
        if made.kind == TypeKind.VOID:
            return PythonType("void", "None")
        if made.kind == TypeKind.BOOL:
            return PythonType(cpp, "bool")
        if made.kind in INTEGERS:
            return PythonType(cpp, "int", "int")
        if made.kind in (TypeKind.DOUBLE, TypeKind.FLOAT):
            return PythonType(cpp, "float")
        if made.kind in (TypeKind.CHAR_S, TypeKind.CHAR_U):
            return PythonType(cpp, "str")
        if made.kind == TypeKind.ENUM:
            return self._enum(made, cpp)
        if made.kind == TypeKind.POINTER:
            return self._pointer(made, cpp)
        if made.kind == TypeKind.RECORD:
            return self._record(made, cpp)
        raise Unsupported(f"{cpp} has no Python type")

    def _enum(self, made, cpp):
        name = qualified_name(made.get_declaration())
        if name not in self.enums:
            raise Unsupported(f"{name} is not bound")
        python = self.enums[name]
        return PythonType(cpp, python, f"{python} | str", "enum")

    def _pointer(self, made, cpp):
        pointee = made.get_pointee().get_canonical()
        name = qualified_name(pointee.get_declaration()) if pointee.kind == TypeKind.RECORD else ""
        if name not in self.classes:
            raise Unsupported(f"a pointer to {pointee.spelling}")
        return PythonType(cpp, f"{self.classes[name]} | None", None, "pointer")

    def _record(self, made, cpp):
        name = qualified_name(made.get_declaration())
        arguments = [
            made.get_template_argument_type(i) for i in range(max(0, made.get_num_template_arguments()))
        ]
        if name in self.classes:
            python = self.classes[name]
            return PythonType(cpp, python, f"{python} | dict[str, Any]", "object")
        if name == "alembert::document::ResultTree":
            return PythonType(cpp, "dict[str, Any]", None, "result")
        if name.startswith("std::"):
            return self._standard(name[5:], arguments, cpp)
        if name.startswith("Eigen::"):
            return self._eigen(name[7:], arguments, cpp)
        raise Unsupported(f"{name} is not bound")

    def _standard(self, name, arguments, cpp):
        if name == "basic_string":
            return PythonType("std::string", "str")
        if name == "basic_string_view":
            return PythonType("std::string_view", "str", None, "text_view")
        if name == "filesystem::path":
            return PythonType("std::filesystem::path", "pathlib.Path", "str | os.PathLike[str]")
        if name == "complex":
            return PythonType(cpp, "complex")
        if name == "monostate":
            raise Unsupported("std::monostate")
        if name == "span":
            element = arguments[0].get_canonical().spelling
            if unqualified(element) not in ARRAY_SCALARS:
                raise Unsupported(f"a span of {element}")
            return PythonType(f"std::span<{element}>", "numpy.ndarray", "ArrayLike", "span")
        if name == "function":
            return self._function(arguments[0], cpp)
        # Allocators and the like are not looked at.
        counted = {"pair": 2, "map": 2, "variant": len(arguments)}.get(name, 1)
        parts = [self.of(one) for one in arguments[:counted]]
        if name == "vector":
            inner = parts[0]
            if unqualified(arguments[0].get_canonical().spelling) in ARRAY_SCALARS:
                return PythonType(cpp, "numpy.ndarray", "ArrayLike")
            return PythonType(cpp, f"tuple[{inner.result}, ...]", f"Sequence[{inner.argument}]")
        if name == "array":
            return PythonType(cpp, f"tuple[{parts[0].result}, ...]", f"Sequence[{parts[0].argument}]")
        if name == "pair":
            joined = f"tuple[{parts[0].result}, {parts[1].result}]"
            return PythonType(cpp, joined)
        if name == "optional":
            return PythonType(cpp, f"{parts[0].result} | None", f"{parts[0].argument} | None")
        if name == "map":
            if parts[0].result != "str":
                raise Unsupported(f"a map by {parts[0].cpp}")
            return PythonType(cpp, f"dict[str, {parts[1].result}]")
        if name == "variant":
            return PythonType(
                cpp, " | ".join(p.result for p in parts), " | ".join(p.argument for p in parts))
        if name == "shared_ptr":
            return PythonType(cpp, f"{parts[0].result}")
        raise Unsupported(f"std::{name}")

    def _function(self, prototype, cpp):
        prototype = prototype.get_canonical()
        result = self.of(prototype.get_result())
        taken = [self.of(one) for one in prototype.argument_types()]
        if any(one.kind in ("pointer", "span") for one in taken):
            raise Unsupported("a callback with pointers")
        inside = ", ".join(one.result for one in taken)
        text = f"Callable[[{inside}], {result.argument}] | None"
        return PythonType(cpp, text, text, "function")

    def _eigen(self, name, arguments, cpp):
        if name == "SparseMatrix":
            return PythonType("Eigen::SparseMatrix<double>", "numpy.ndarray", "ArrayLike")
        if name == "Matrix":
            if arguments[0].get_canonical().spelling not in ARRAY_SCALARS:
                raise Unsupported(cpp)
            return PythonType(cpp, "numpy.ndarray", "ArrayLike")
        if name == "Ref":
            return PythonType(cpp, "numpy.ndarray", "ArrayLike", "view")
        raise Unsupported(f"Eigen::{name}")
