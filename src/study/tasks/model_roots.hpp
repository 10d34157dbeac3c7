#pragma once

#include "alembert/study/detail/keys.hpp"
#include "alembert/study/detail/value.hpp"

/// Root tables of kinds of models that have keys of their own, with all of their tasks.
namespace alembert::study {

/// A study with a model that is given as equations.
[[nodiscard]] const TableSpec& equation_root_table();

/// Whether [model] gives equations.
[[nodiscard]] bool has_equations(const Value& root);

/// A study of a mechanism.
[[nodiscard]] const TableSpec& mechanism_root_table();

/// A study of a mechanism with flexible bodies.
[[nodiscard]] const TableSpec& flexible_root_table();

}  // namespace alembert::study
