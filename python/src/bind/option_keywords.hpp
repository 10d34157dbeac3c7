#pragma once

#include <string>
#include <vector>

#include "convert/class_info.hpp"

/// Keywords of a function: the fields of its options, and the keys that studies have for them.
namespace alembert::python {

/// Whether a keyword is a field of the options or, with hyphens for underscores, a key of studies.
[[nodiscard]] bool is_option(const ClassInfo& options, const std::string& name);
[[nodiscard]] std::vector<std::string> option_names(const ClassInfo& options);

/// Sets options by keywords. A key of studies is checked as in a study, with the same message.
/// @throws ConversionError.
void set_options(const ClassInfo& info, void* options, const py::dict& values);

/// All keywords with what they mean, a line or some each.
[[nodiscard]] std::string option_help(const ClassInfo& options);

}  // namespace alembert::python
