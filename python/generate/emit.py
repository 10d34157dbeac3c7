"""Writes the C++ of the bindings."""

from plan import python_name

HEAD = """// Made by python/generate from the public headers. Not to be edited.
#include "bind/classes.hpp"
#include "bind/control.hpp"
#include "bind/modules.hpp"
"""


def raw(text):
    return f'R"doc({text})doc"'


def signature_default(text):
    """A C++ default as Python text for signatures."""
    simple = {"true": "True", "false": "False", "{}": "None", "std :: nullopt": "None", "nullptr": "None"}
    if text in simple:
        return simple[text]
    try:
        float(text)
        return text
    except ValueError:
        return "..."


def signature(form, method):
    parts = ["$self"] if method else []
    for parameter in form.parameters:
        parts.append(parameter.name if parameter.default is None
                     else f"{parameter.name}={signature_default(parameter.default)}")
    if form.controlled:
        parts.append("*, progress=False")
    if form.options:
        parts.append("**fields")
    return ", ".join(parts)


class Emitter:
    def __init__(self):
        self.serial = 0
        self.top = []  # definitions
        self.body = []  # registrations

    def next(self):
        self.serial += 1
        return self.serial

    # ---- functions

    def form(self, form, namespace, call, kind):
        """A thunk for one overload; returns the initialiser of its Overload."""
        number = self.next()
        lines, passed = [], []
        for i, parameter in enumerate(form.parameters):
            line, text = self.parameter(form, parameter, i)
            lines.append(line)
            passed.append(text)
        if form.options:
            lines.append(f"  python::take_fields(a, p{len(form.parameters) - 1});")
        arguments = ", ".join(passed)
        if kind == "constructor":
            lines.append(f"  return python::construct(a, std::make_unique<::{call}>({arguments}));")
        elif kind == "method":
            const = "const " if form.is_const else ""
            lines.insert(0, f"  {const}::{namespace[1]}& self = python::self_of<::{namespace[1]}>(a);")
            access = "self(" if call == "operator()" else "self[" if call == "operator[]" else f"self.{call}("
            close = "]" if call == "operator[]" else ")"
            text = f"self == {arguments}" if call == "operator==" else f"{access}{arguments}{close}"
            lines.append(f"  return python::locked(a, [&]() -> decltype(auto) {{ return {text}; }});")
        else:
            lines += self.call(form, f"::{call}({arguments})")
        names = ", ".join(f'"{p.name}"' for p in form.parameters)
        required = next((i for i, p in enumerate(form.parameters) if p.default is not None), len(form.parameters))
        space = namespace[0]
        self.top.append(
            f"namespace {space} {{\n[[maybe_unused]] static pybind11::object thunk_{number}("
            f"[[maybe_unused]] python::Arguments& a) {{\n" + "\n".join(lines) + "\n}\n"
            + (f"static constexpr const char* names_{number}[] = {{{names}}};\n" if names else "")
            + f"}}  // namespace {space}\n")
        options = f"&alembert::python::class_info_of<::{form.options}>" if form.options else "nullptr"
        controlled = "true" if form.controlled else "false"
        spelled = f"::{space}::names_{number}" if names else "{}"
        return (f"{{.names = {spelled}, .required = {required}, .options = {options}, "
                f".controlled = {controlled}, .call = &::{space}::thunk_{number}}}")

    @staticmethod
    def call(form, text):
        changes = any(p.by_reference for p in form.parameters)
        if form.controlled:
            last = f"p{len(form.parameters) - 1}"
            attach = [f"  control.attach({last}{path});" for path in form.stops + form.progress]
            return ["  python::Control control(a);"] + attach + [
                f"  return control.run([&] {{ return {text}; }});"]
        if changes:
            return [f"  return python::locked(a, [&]() -> decltype(auto) {{ return {text}; }});"]
        return [f"  return python::released([&] {{ return {text}; }});"]

    @staticmethod
    def parameter(form, parameter, i):
        """The line that makes an argument, and how it is passed."""
        cpp, kind = parameter.type.cpp, parameter.type.kind
        spelled = f"::{cpp}" if cpp.startswith(("alembert::", "std::", "Eigen::")) else cpp
        p = f"p{i}"
        if kind in ("span", "view", "text_view"):
            if parameter.default is not None:
                line = (f"  std::optional<python::Held<{spelled}>> {p};\n"
                        f"  if (a.has({i})) {p}.emplace(a.slots[{i}]);")
                default = "{}" if parameter.default == "{}" else f"({parameter.default})"
                return line, f"({p} ? {spelled}(*{p}) : {spelled}{default})"
            return f"  python::Held<{spelled}> {p} = python::held<python::Held<{spelled}>>(a, {i});", p
        if kind == "object" and parameter.default is None:
            line = f"  python::HeldObject<{spelled}> {p} = python::held<python::HeldObject<{spelled}>>(a, {i});"
            return line, f"{p}.get()"
        if parameter.default is None:
            return f"  {spelled} {p} = python::value<{spelled}>(a, {i});", p
        open_, close = ("", "") if parameter.default.startswith("{") else ("(", ")")
        default = f"std::type_identity_t<{spelled}>{open_}{parameter.default}{close}"
        return f"  {spelled} {p} = a.has({i}) ? python::value<{spelled}>(a, {i}) : {default};", p

    def function(self, function, namespace, scope, kind):
        forms = []
        for form in function.forms:
            call = function.name if kind == "method" else f"{namespace[0]}::{function.name}"
            if kind == "method" and form.is_static:
                forms.append(self.form(form, namespace, f"{namespace[1]}::{function.name}", "function"))
            else:
                forms.append(self.form(form, namespace, call, kind))
        static = kind == "method" and function.forms[0].is_static
        self.add(function.python, function.doc, forms, scope, function.forms[0],
                 is_method=kind == "method" and not static, static=static)

    def add(self, name, doc, forms, scope, first, is_method, static=False):
        number = self.next()
        joined = ",\n    ".join(forms)
        text = f"{name}({signature(first, is_method)})\n--\n\n{doc}"
        self.top.append(
            f"static constexpr alembert::python::Overload overloads_{number}[] = {{\n    {joined}}};\n"
            f"static constexpr alembert::python::Function function_{number}{{.name = \"{name}\",\n"
            f"    .doc = {raw(text)},\n    .overloads = overloads_{number}, "
            f".is_method = {'true' if is_method else 'false'}}};\n")
        self.body.append(f"  add_{'static' if static else 'function'}({scope}, function_{number});")

    # ---- classes

    def enum(self, item, doc, values, scope):
        number = self.next()
        entries = "\n".join(
            f'    {{"{python_name(name)}", static_cast<int>(::{item.name}::{name}), '
            f'alembert::python::enum_text(::{item.name}::{name}, "{name}"), {raw(text)}}},'
            for name, text in values)
        self.top.append(f"static const alembert::python::EnumEntry values_{number}[] = {{\n{entries}}};\n")
        full = item.python.removeprefix("alembert.")
        self.body.append(f'  add_enum<::{item.name}>({scope}, "{item.short}", "{full}", {raw(doc)}, values_{number});')

    def class_(self, bound, scope):
        item = bound.source
        number = self.next()
        base = f", ::{bound.base.name}" if bound.base else ""
        full = item.python.removeprefix("alembert.")
        variable = f"class_{number}"
        self.body.append(
            f'  const py::object {variable} = add_class<::{item.name}{base}>({scope}, "{item.short}", "{full}", {raw(bound.doc)});')
        if bound.fields:
            self.fields(bound, variable, number)
        space = (self.namespace_of(item), item.name)
        for method in bound.methods:
            self.function(method, space, variable, "method")
        if bound.constructors and not bound.fields:
            forms = [self.form(f, space, item.name, "constructor") for f in bound.constructors]
            self.add("__init__", "", forms, variable, bound.constructors[0], is_method=True)
        elif not item.is_abstract and (bound.fields or not item.constructors):
            self.body.append(
                f"  if constexpr (std::is_default_constructible_v<::{item.name}>) {{\n"
                f"    add_struct_constructor({variable}, class_info<::{item.name}>(), &make_default<::{item.name}>);\n  }}")
        return variable

    def fields(self, bound, variable, number):
        item = bound.source
        entries = "\n".join(
            f'    {{"{f.python}", {raw(f.doc)}, &alembert::python::FieldAccess<&::{item.name}::{f.name}>::get,\n'
            f"     alembert::python::setter_of<&::{item.name}::{f.name}>()}},"
            for f in bound.fields)
        self.top.append(f"static const alembert::python::Field fields_{number}[] = {{\n{entries}}};\n")
        self.body.append(f"  add_fields({variable}, class_info<::{item.name}>(), fields_{number});")

    @staticmethod
    def namespace_of(item):
        while item.parent is not None:
            item = item.parent
        return item.name.rsplit("::", 1)[0]

    def text(self, headers, entry):
        includes = "\n".join(f'#include "{header}"' for header in headers)
        top = "\n".join(self.top)
        body = "\n".join(self.body)
        return (f"{HEAD}\n{includes}\n\n{top}\nnamespace alembert::python {{\n\n"
                f"void {entry}([[maybe_unused]] const py::module_& root) {{\n{body}\n}}\n\n"
                f"}}  // namespace alembert::python\n")
