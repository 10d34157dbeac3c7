#include "alembert/io/detail/tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "io/file/file_content.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/hdf5/library.hpp"
#include "io/mat/variables.hpp"
#include "io/record/record_parts.hpp"

namespace alembert::io {

namespace {

using mat::NewVariable;

// Bytes that a value takes in a file of version 5: 8 a number, 2 a letter, and what heads an
// element or a field, at most 512 with its name.
struct MatTreeSize {
  static constexpr double kHead = 512.0;
  double operator()(const std::string& text) const {
    return kHead + 2.0 * static_cast<double>(text.size());
  }
  double operator()(const Eigen::VectorXd& values) const {
    return kHead + 8.0 * static_cast<double>(values.size());
  }
  double operator()(const Eigen::MatrixXd& values) const {
    return kHead + 8.0 * static_cast<double>(values.size());
  }
  double operator()(const TreeValue::List& list) const {
    double bytes = kHead;
    for (const TreeValue& item : list) bytes += std::visit(*this, item.value);
    return bytes;
  }
  double operator()(const TreeValue::Group& group) const {
    double bytes = kHead;
    for (const TreeField& field : group) bytes += std::visit(*this, field.value.value);
    return bytes;
  }
  template <typename Single>
  double operator()(const Single& /*single*/) const {
    return kHead;
  }
};

bool all_groups(const TreeValue::List& list) {
  return std::all_of(list.begin(), list.end(), [](const TreeValue& item) {
    return std::holds_alternative<TreeValue::Group>(item.value);
  });
}

// The names of the fields of several groups, in the order in which they come up.
std::vector<std::string> field_names(const std::vector<const TreeValue::Group*>& groups) {
  std::vector<std::string> names;
  for (const TreeValue::Group* group : groups) {
    for (const TreeField& field : *group) {
      if (std::find(names.begin(), names.end(), field.name) == names.end()) {
        names.push_back(field.name);
      }
    }
  }
  return names;
}

std::vector<std::string> mat_names(const std::vector<std::string>& names) {
  std::vector<std::string> valid;
  valid.reserve(names.size());
  for (const std::string& name : names) valid.push_back(mat::valid_name(name));
  make_unique(valid);
  return valid;
}

struct MatTreeMaker {
  const char* name = nullptr;  // of a variable; null for what is inside another

  NewVariable operator()(std::monostate) const { return mat::new_numbers(name, 0, 0, nullptr); }
  NewVariable operator()(bool value) const {
    std::size_t one[2] = {1, 1};
    std::uint8_t byte = value ? 1 : 0;
    return NewVariable(Mat_VarCreate(name, MAT_C_UINT8, MAT_T_UINT8, 2, one, &byte, MAT_F_LOGICAL));
  }
  NewVariable operator()(std::int64_t value) const { return (*this)(static_cast<double>(value)); }
  NewVariable operator()(double value) const { return mat::new_numbers(name, 1, 1, &value); }
  NewVariable operator()(const std::string& text) const { return mat::new_text(name, text); }
  NewVariable operator()(const Eigen::VectorXd& values) const {
    return mat::new_numbers(name, values.size(), values.size() == 0 ? 0 : 1, values.data());
  }
  NewVariable operator()(const Eigen::MatrixXd& values) const {
    return mat::new_numbers(name, values.rows(), values.cols(), values.data());
  }
  NewVariable operator()(const TreeValue::Group& group) const { return structure({&group}); }
  NewVariable operator()(const TreeValue::List& list) const {
    if (list.empty()) return (*this)(std::monostate());
    return all_groups(list) ? structures(list) : cells(list);
  }

 private:
  [[nodiscard]] NewVariable structures(const TreeValue::List& list) const {
    std::vector<const TreeValue::Group*> groups;
    groups.reserve(list.size());
    for (const TreeValue& item : list) groups.push_back(&std::get<TreeValue::Group>(item.value));
    return structure(groups);
  }

  // A structure array 1 x n. The structure owns its fields.
  [[nodiscard]] NewVariable structure(const std::vector<const TreeValue::Group*>& groups) const {
    const std::vector<std::string> names = field_names(groups);
    const std::vector<std::string> valid = mat_names(names);
    std::vector<const char*> fields;
    fields.reserve(valid.size());
    for (const std::string& field : valid) fields.push_back(field.c_str());
    std::size_t size[2] = {1, groups.size()};
    NewVariable made(
        Mat_VarCreateStruct(name, 2, size, fields.data(), static_cast<unsigned>(fields.size())));
    for (std::size_t g = 0; made && g < groups.size(); ++g) {
      for (std::size_t f = 0; f < names.size(); ++f) {
        Mat_VarSetStructFieldByName(made.get(), valid[f].c_str(), g,
                                    field_of(*groups[g], names[f]).release());
      }
    }
    return made;
  }

  static NewVariable field_of(const TreeValue::Group& group, const std::string& name) {
    const auto found = std::find_if(group.begin(), group.end(),
                                    [&](const TreeField& field) { return field.name == name; });
    if (found == group.end()) return MatTreeMaker{}(std::monostate());
    return std::visit(MatTreeMaker{}, found->value.value);
  }

  [[nodiscard]] NewVariable cells(const TreeValue::List& list) const {
    std::size_t size[2] = {1, list.size()};
    NewVariable made(Mat_VarCreate(name, MAT_C_CELL, MAT_T_CELL, 2, size, nullptr, 0));
    for (std::size_t i = 0; made && i < list.size(); ++i) {
      Mat_VarSetCell(made.get(), static_cast<int>(i),
                     std::visit(MatTreeMaker{}, list[i].value).release());
    }
    return made;
  }
};

// A variable of version 5 counts its bytes with 32 bits, of which MATLAB takes 31.
void check_variable_size(const TreeField& variable) {
  const double bytes = std::visit(MatTreeSize{}, variable.value.value);
  if (bytes < 2147483648.0) return;
  throw InvalidInput({.function = "write_mat_tree",
                      .argument = variable.name,
                      .rule = "must take less than 2 GiB, the most that version 5 holds",
                      .value = fmt::format("{:.1f} GiB", bytes / 1073741824.0)});
}

struct CloseMatTree {
  void operator()(mat_t* file) const { Mat_Close(file); }
};

}  // namespace

void write_mat_tree(const std::filesystem::path& file, const TreeValue::Group& variables) {
  for (const TreeField& variable : variables) check_variable_size(variable);
  const hdf5::Session session;
  const std::vector<std::string> names = mat_names(field_names({&variables}));
  replace_file(file, [&](const std::filesystem::path& part) {
    std::unique_ptr<mat_t, CloseMatTree> stream(
        Mat_CreateVer(part.c_str(), "MATLAB 5.0 MAT-file, written by Alembert", MAT_FT_MAT5));
    if (!stream) {
      throw DataError({.file = file.string()},
                      "the file cannot be made (permissions or disk full)");
    }
    for (std::size_t v = 0; v < variables.size(); ++v) {
      const NewVariable made = std::visit(MatTreeMaker{names[v].c_str()}, variables[v].value.value);
      if (!made || Mat_VarWrite(stream.get(), made.get(), MAT_COMPRESSION_NONE) != 0) {
        throw DataError(
            {.file = file.string()},
            fmt::format("variable {} cannot be written (disk full?)", excerpt(names[v])));
      }
    }
    if (Mat_Close(stream.release()) != 0) {
      throw DataError({.file = file.string()}, "cannot be written (disk full?)");
    }
  });
}

}  // namespace alembert::io
