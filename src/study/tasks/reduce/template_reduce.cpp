#include "study/tasks/reduce/template_reduce.hpp"

#include "alembert/core/error.hpp"
#include "study/tasks/reduce/reduce_keys.hpp"
#include "study/templates/writer.hpp"

namespace alembert::study {

std::string reduce_template(const std::optional<TemplateData>& data) {
  if (data) {
    throw DataError(
        {.file = data->file},
        "a study of a structure takes no record but a mesh (.msh, .inp); name the files of "
        "its matrices in [structure]");
  }
  const TableSpec& root = reduce_root_table();
  const auto inner = [&](const char* name) -> const TableSpec& {
    return *root.find(name, nullptr)->table;
  };
  TemplateWriter writer("reduce");
  writer.comment(
      "A study for `alembert run`. Lines that begin with # are comments; keys written in them show "
      "the defaults. The mesh below is a plate with a hole; take [structure.block], or mass and "
      "stiffness from files, for your own structure.");
  writer.table(root, {{"title", "\"Small model of a plate\""}});
  writer.table(inner("structure"), {});
  writer.table(*inner("structure").find("plate", nullptr)->table,
               {{"x", "[0.0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16]"},
                {"y", "[0.0, 0.02, 0.04, 0.06, 0.08]"},
                {"cutouts", "[[0.06, 0.02, 0.1, 0.06]]"},
                {"thickness", "0.01"}});
  writer.table(inner("reduce"), {{"masters", "[{ box = [0.0, 0.0, 0.0, 0.0, 0.08, 0.0] }]"},
                                 {"modes", "[4, 5, 6]"}});
  return writer.text();
}

}  // namespace alembert::study
