"""The Python reference: a page for each module, from the type stubs and docstrings that the build makes from the C++ headers."""
import ast
import pathlib
import re

from webpages.cpp_reference import MODULES, first_sentence, prose

PROJECT = pathlib.Path(__file__).resolve().parents[2]
OWN_KEYWORDS = ("progress", "step", "start_time", "hold", "out", "threads", "seed")


def module_names(stubs):
    """Modules of the package and their stubs: "identify", "model.planar", ..."""
    found = {}
    for file in stubs.rglob("*.pyi"):
        parts = [part for part in file.relative_to(stubs).with_suffix("").parts if part != "__init__"]
        if parts and not parts[0].startswith("_"):
            found[".".join(parts)] = file
    return dict(sorted(found.items(), key=lambda one: (MODULES.index(one[0].partition(".")[0]), one[0])))


def annotation(node):
    """A type in few words."""
    text = ast.unparse(node) if node else ""
    text = text.replace("alembert.", "").replace(" | dict[str, Any]", "").replace("numpy.ndarray", "array").replace("ArrayLike", "array")
    return text


def argument(one, default):
    text = one.arg + (f": {annotation(one.annotation)}" if one.annotation else "")
    return text + (f" = {ast.unparse(default)}" if default is not None else "")


def signature(function):
    """A function as one calls it; keywords that are fields of its options are not repeated."""
    a = function.args
    first = a.posonlyargs + a.args
    defaults = [None] * (len(first) - len(a.defaults)) + list(a.defaults)
    parts = [argument(one, default) for one, default in zip(first, defaults) if one.arg != "self"]
    options = next((annotation(one.annotation) for one in first if one.arg == "options" and one.annotation), "")
    named = [argument(one, default) for one, default in zip(a.kwonlyargs, a.kw_defaults) if not options or one.arg in OWN_KEYWORDS]
    parts += ["*", *named] if named else []
    parts += [f"**fields of {options.replace(' | None', '')}"] if options else [f"**{a.kwarg.arg}"] if a.kwarg else []
    result = f" -> {annotation(function.returns)}" if function.returns else ""
    inside = ", ".join(parts)
    if len(inside) > 90:
        inside = "\n    " + ",\n    ".join(parts) + "\n"
    return f"{function.name}({inside}){result}"


def is_property(function):
    return any(isinstance(one, ast.Name) and one.id == "property" for one in function.decorator_list)


def is_setter(function):
    return any(isinstance(one, ast.Attribute) and one.attr == "setter" for one in function.decorator_list)


def cell(text):
    return re.sub(r"(?<!\\)\|", "\\|", " ".join(text.split()))


def own_docstrings():
    """Docstrings of the Python part of the package, by name of function or class."""
    found = {}
    for file in sorted((PROJECT / "python" / "alembert").glob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
                found.setdefault(node.name, ast.get_docstring(node))
    return found


def members(node):
    """Rows of the properties, texts of the methods."""
    rows, methods = [], ""
    groups = {}
    for one in node.body:
        if isinstance(one, ast.FunctionDef) and not is_setter(one) and one.name not in ("name", "value", "__init__"):
            groups.setdefault(one.name, []).append(one)
        elif isinstance(one, ast.AnnAssign) and one.target.id != "__members__" and annotation(one.annotation).rpartition(".")[2] != node.name:
            rows.append(f"| `{one.target.id}` | `{cell(annotation(one.annotation))}` | |")
    for name, same in groups.items():
        doc = next((ast.get_docstring(one) for one in same if ast.get_docstring(one)), "")
        if is_property(same[0]):
            rows.append(f"| `{name}` | `{cell(annotation(same[0].returns))}` | {cell(prose(doc)) if '```' not in prose(doc) else cell(first_sentence(doc))} |")
        elif not name.startswith("__"):
            methods += "\n```python\n" + "\n".join(map(signature, same)) + f"\n```\n\n{prose(doc)}\n"
    return rows, methods


def class_text(node, own):
    bases = [ast.unparse(base).replace("alembert.", "") for base in node.bases]
    doc = ast.get_docstring(node) or own.get(node.name, "")
    text = f"\n### `{node.name}`\n\n{prose(doc)}\n" + (f"\nIs a `{bases[0]}`.\n" if bases else "")
    values = [one.target.id for one in node.body if isinstance(one, ast.AnnAssign) and annotation(one.annotation).rpartition(".")[2] == node.name]
    if values:
        return text + "\nValues: " + ", ".join(f"`{value}`" for value in values) + "\n"
    rows, methods = members(node)
    if rows:
        text += "\n| attribute | type | |\n|---|---|---|\n" + "\n".join(rows) + "\n"
    return text + methods


def function_text(name, same, own):
    doc = next((ast.get_docstring(one) for one in same if ast.get_docstring(one)), "") or own.get(name, "")
    doc = re.split(r"\n+Keywords \(", doc)[0]  # the fields stand at the options
    return f"\n### `{name}`\n\n{prose(doc)}\n\n```python\n" + "\n".join(map(signature, same)) + "\n```\n"


def module_page(name, file, own):
    tree = ast.parse(file.read_text(encoding="utf-8"))
    functions, classes = {}, []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            functions.setdefault(node.name, []).append(node)
        elif isinstance(node, ast.ClassDef):
            classes.append(node)
    source = PROJECT / "python" / "alembert" / f"{name}.py"
    about = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) if source.exists() else ""
    text = f"# alembert.{name}\n\n{prose((about or '').replace('``', '`'))}\n"
    if functions:
        text += "\n## Functions\n" + "".join(function_text(key, same, own) for key, same in functions.items())
    if classes:
        text += "\n## Classes\n" + "".join(class_text(node, own) for node in classes)
    return text, len(functions), len(classes)


def make(stubs, pages, write):
    """Writes the pages below docs/api/python; where the module is not built, a page that says so. Returns how many names they have."""
    folder = pages / "docs/api/python"
    modules = module_names(stubs) if stubs.is_dir() else {}
    index = "# Python reference\n\nOne page for each module, made from the type stubs of the build. How to use them: [Python](../../python.md).\n"
    if not modules:
        write(folder / "README.md", index + "\nThe module was not built when these pages were made: `./quickstart --python`, then `tools/site`.\n")
        return 0
    own, count = own_docstrings(), 0
    index += "\n| module | functions | classes |\n|---|---|---|\n"
    for name, file in modules.items():
        text, functions, classes = module_page(name, file, own)
        write(folder / f"{name}.md", text)
        index += f"| [alembert.{name}]({name}.md) | {functions} | {classes} |\n"
        count += functions + classes
    write(folder / "README.md", index)
    return count
