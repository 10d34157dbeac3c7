#include "convert/result_tree.hpp"

#include "convert/scalars.hpp"

namespace alembert::python {
namespace {

py::object group_to(const document::ResultTree& tree) {
  py::dict made;
  for (const document::ResultTree& entry : tree.entries()) {
    if (entry.in_file()) made[text_to(entry.key())] = tree_to(entry);
  }
  return made;
}

py::object list_to(const document::ResultTree& tree) {
  py::list made;
  for (const document::ResultTree& entry : tree.entries()) made.append(tree_to(entry));
  return made;
}

}  // namespace

py::object tree_to(const document::ResultTree& tree) {
  using Kind = document::ResultTree::Kind;
  switch (tree.kind()) {
    case Kind::Boolean:
      return py::bool_(tree.boolean());
    case Kind::Integer:
      return py::int_(tree.integer());
    case Kind::Count:
      return py::int_(tree.count());
    case Kind::Number:
      return py::float_(tree.number());
    case Kind::Text:
      return text_to(tree.text());
    case Kind::Group:
      return group_to(tree);
    case Kind::List:
      return list_to(tree);
    case Kind::Null:
      break;
  }
  return py::none();
}

}  // namespace alembert::python
