#pragma once

#include "alembert/document/result_tree.hpp"
#include "convert/convert.hpp"

namespace alembert::python {

/// A description of a result as dicts, lists, numbers and texts: what result.json holds.
[[nodiscard]] py::object tree_to(const document::ResultTree& tree);

template <>
struct Convert<document::ResultTree> {
  static py::object to(const document::ResultTree& tree) { return tree_to(tree); }
};

}  // namespace alembert::python
