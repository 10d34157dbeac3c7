"""The C++ reference: a page for each public header, from its declarations and their `///` comments, read by libclang."""
import pathlib
import re
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = PROJECT / "include"
MODULES = ("core", "signal", "optimize", "model", "io", "integrate", "reduce", "estimate", "identify", "update", "code", "document", "study", "report")
COMPILER = ("-x", "c++", "-std=c++20", f"-I{INCLUDE}", "-I/usr/include/eigen3")


class Entry:
    """One declaration of a header."""

    def __init__(self, name, kind, code, comment, namespace):
        self.name, self.kind, self.code, self.comment, self.namespace = name, kind, code, comment, namespace


def read():
    """Entries by header, in the order of their lines."""
    sys.path.insert(0, str(PROJECT / "python" / "generate"))
    sys.dont_write_bytecode = True
    import clang.cindex as clang
    from model import comment_of

    unit = clang.Index.create().parse(str(INCLUDE / "alembert/alembert.hpp"), args=COMPILER,
                                      options=clang.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES)
    errors = [str(one) for one in unit.diagnostics if one.severity >= clang.Diagnostic.Error]
    if errors:
        raise SystemExit("site: the headers do not compile:\n" + "\n".join(errors[:5]))
    kinds = clang.CursorKind
    wanted = {kinds.STRUCT_DECL: "struct", kinds.CLASS_DECL: "class", kinds.ENUM_DECL: "enum", kinds.FUNCTION_DECL: "function",
              kinds.FUNCTION_TEMPLATE: "function", kinds.CLASS_TEMPLATE: "class", kinds.VAR_DECL: "constant", kinds.TYPE_ALIAS_DECL: "type",
              kinds.CONCEPT_DECL if hasattr(kinds, "CONCEPT_DECL") else None: "concept"}
    texts, found = {}, {}

    def visit(cursor, namespace):
        for child in cursor.get_children():
            if child.kind == kinds.NAMESPACE:
                visit(child, f"{namespace}::{child.spelling}" if namespace else child.spelling)
                continue
            file = child.location.file
            if file is None or child.kind not in wanted or not child.spelling or child.spelling in ("enum_names", "old_enum_names"):
                continue
            path = pathlib.Path(str(file.name)).resolve()
            if INCLUDE not in path.parents or "detail" in path.parts:
                continue
            if wanted[child.kind] in ("struct", "class", "enum") and not child.is_definition():
                continue
            header = path.relative_to(INCLUDE)
            if header not in texts:
                texts[header] = path.read_bytes()
            code = texts[header][child.extent.start.offset:child.extent.end.offset].decode()
            entry = Entry(child.spelling, wanted[child.kind], declaration(code, wanted[child.kind]), comment_of(child), namespace)
            found.setdefault(header, []).append((child.extent.start.offset, entry))

    for cursor in unit.cursor.get_children():
        if cursor.kind == kinds.NAMESPACE and cursor.spelling == "alembert":
            visit(cursor, "alembert")
    return {header: [entry for _, entry in sorted(entries, key=lambda one: one[0])] for header, entries in sorted(found.items())}


def declaration(code, kind):
    """The text of a declaration: functions without their body, classes without what is private."""
    if kind == "function":
        depth = 0
        for place, letter in enumerate(code):
            depth += letter in "([" and 1 or letter in ")]" and -1 or 0
            if letter == "{" and depth == 0:
                return code[:place].rstrip() + ";"
        return code.rstrip(";") + ";"
    if kind == "class":
        code = re.sub(r"\n private:.*?(?=\n public:|\n protected:|\n}\s*$)", "", code, flags=re.S)
    return re.sub(r"\n\n+", "\n\n", code).rstrip(";") + ";"


def prose(comment):
    """A comment as Markdown: what is indented is a formula or code, tags become words."""
    lines, formula = [], False
    for line in comment.splitlines():
        line = re.sub(r"^@param (?:\[\w+\] )?(\w+) ?", r"@@\1@@: ", line)
        line = re.sub(r"^@returns? ", "@@Returns@@ ", line)
        line = re.sub(r"^@throws ([\w:]+)", r"@@Throws@@ `\1`", line)
        indented = line.startswith("  ") and (formula or not lines or not lines[-1] or not line.strip())
        if indented != formula:
            if not indented and not lines[-1]:
                lines.pop()
            lines += ["", "```text"] if indented else ["```", ""]
            formula = indented
        if line.startswith("@@") and lines and lines[-1]:
            lines.append("")
        lines.append(line if indented else escaped(line))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines + ["```"] * formula)).replace("@@", "**").strip()


def escaped(line):
    """A line whose marks are no Markdown, but for code."""
    parts = re.split(r"(`[^`]*`)", line)
    return "".join(part if place % 2 else re.sub(r"([*_<])", r"\\\1", part) for place, part in enumerate(parts))


def first_sentence(text):
    return re.split(r"(?<=[.:;]) ", " ".join(text.split()), maxsplit=1)[0] if text else ""


def about(header):
    """The comment above the namespace of a header: what it is for."""
    found = re.search(r"((?:^///.*\n)+)namespace", (INCLUDE / header).read_text(encoding="utf-8"), re.M)
    return "\n".join(line[3:].lstrip() for line in found[1].splitlines()) if found else ""


def page_of(header):
    return pathlib.Path("docs/api/cpp") / header.relative_to("alembert").with_suffix(".md")


def header_page(header, entries):
    up = "/".join([".."] * (len(page_of(header).parts) - 4)) or "."
    text = f"# {header.stem}\n\n`#include <{header}>` · namespace `{entries[0].namespace}` · [all headers]({up}/README.md)\n\n{prose(about(header))}\n"
    by_name = {}
    for entry in entries:
        by_name.setdefault(entry.name, []).append(entry)
    for name, same in by_name.items():
        text += f"\n## `{name}`\n\n"
        for entry in same:
            text += f"{prose(entry.comment)}\n\n```cpp\n{entry.code}\n```\n\n"
    return text


def make(pages, write):
    """Writes all pages below docs/api/cpp; returns how many names they have."""
    headers = read()
    index = "# C++ reference\n\nOne page for each public header, made from its declarations. `#include <alembert/alembert.hpp>` brings all.\n"
    for module in MODULES:
        own = [header for header in headers if header.parts[1] == module]
        if own:
            index += f"\n## {module}\n\n| header | names |\n|---|---|\n"
        for header in own:
            names = ", ".join(dict.fromkeys(f"`{entry.name}`" for entry in headers[header]))
            link = page_of(header).relative_to("docs/api/cpp")
            index += f"| [{'/'.join(header.parts[2:])}]({link}) | {names} |\n"
            write(pages / page_of(header), header_page(header, headers[header]))
    write(pages / "docs/api/cpp/README.md", index)
    return sum(map(len, headers.values()))
