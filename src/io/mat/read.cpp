#include <fmt/core.h>

#include <algorithm>

#include "alembert/core/text.hpp"
#include "alembert/io/mat.hpp"
#include "alembert/io/matrix_market.hpp"
#include "io/file/escaped_text.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/hdf5/library.hpp"
#include "io/mat/library.hpp"

namespace alembert::io {

namespace {

using mat::File;

// Shared by the lazy arrays of one structure: its fields are read together.
using SharedVariable = std::shared_ptr<matvar_t>;

std::string name_of(const matvar_t& variable) {
  return variable.name == nullptr ? "" : variable.name;
}

LazyArray lazy_array(const std::string& name, const matvar_t& variable,
                     std::function<ArrayValues()> load) {
  return {.name = name,
          .rows = static_cast<Eigen::Index>(variable.dims[0]),
          .columns = static_cast<Eigen::Index>(variable.dims[1]),
          .complex = variable.isComplex != 0,
          .single_precision = variable.class_type == MAT_C_SINGLE,
          .load = std::move(load)};
}

LazyArray variable_array(const File& file, const matvar_t& variable) {
  const std::string name = name_of(variable);
  return lazy_array(name, variable, [&file, &variable] { return file.numbers(variable); });
}

ArraySet structure_set(const File& file, const SharedVariable& structure, matvar_t* inner,
                       const std::string& title, std::size_t index) {
  ArraySet set{.place = file.place(), .title = title};
  for (const std::string& name : mat::field_names(inner)) {
    const matvar_t* field = mat::field_of(inner, name, index);
    if (field != nullptr && mat::is_matrix(*field)) {
      set.arrays.push_back(lazy_array(name, *field, [&file, structure, name, field] {
        return mat::values_of(file, name, *field);
      }));
    }
  }
  return set;
}

// Beside a chosen part of the file: what gives the time among the variables.
void add_time_variables(const File& file, ArraySet& set) {
  for (const auto& variable : file.variables()) {
    if (!mat::is_matrix(*variable)) {
      continue;
    }
    LazyArray array = variable_array(file, *variable);
    const bool taken =
        std::any_of(set.arrays.begin(), set.arrays.end(),
                    [&](const LazyArray& other) { return other.name == array.name; });
    if (!taken && (array.is_scalar() || (array.is_vector() && is_time_name(array.name)))) {
      set.arrays.push_back(std::move(array));
    }
  }
}

ArraySet variables_set(const File& file) {
  ArraySet set{.place = file.place()};
  for (const auto& variable : file.variables()) {
    if (mat::is_matrix(*variable)) {
      set.arrays.push_back(variable_array(file, *variable));
    }
  }
  return set;
}

std::vector<std::string> variable_names(const File& file) {
  std::vector<std::string> names;
  for (const auto& variable : file.variables()) {
    names.push_back(name_of(*variable));
  }
  return names;
}

// A variable by its path `a.b.c`, read, and the matvar_t inside that the path names.
struct Found {
  SharedVariable owner;
  matvar_t* variable = nullptr;
};

Found find_path(const File& file, const std::string& path) {
  const std::size_t dot = std::min(path.find('.'), path.size());
  const std::string name = path.substr(0, dot);
  const std::vector<std::string> known = variable_names(file);
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    throw DataError(file.place(), unknown_name("variable", name, known));
  }
  Found found{file.read(name), nullptr};
  found.variable = found.owner.get();
  for (std::size_t begin = dot; begin < path.size();) {
    const std::size_t end = std::min(path.find('.', begin + 1), path.size());
    const std::string field = path.substr(begin + 1, end - begin - 1);
    matvar_t* inner = mat::field_of(found.variable, field);
    if (inner == nullptr) {
      file.fail(path.substr(0, begin),
                found.variable->class_type == MAT_C_STRUCT
                    ? unknown_name("field", field, mat::field_names(found.variable))
                    : "is not a structure");
    }
    found.variable = inner;
    begin = end;
  }
  return found;
}

std::vector<ArraySet> sets_of_path(const File& file, const std::string& path) {
  const Found found = find_path(file, path);
  matvar_t* variable = found.variable;
  std::vector<ArraySet> sets;
  if (variable->class_type == MAT_C_STRUCT) {
    const std::size_t count = mat::element_count(*variable);
    for (std::size_t index = 0; index < count; ++index) {
      const std::string title = count == 1 ? path : fmt::format("{}({})", path, index + 1);
      sets.push_back(structure_set(file, found.owner, variable, title, index));
    }
  } else if (mat::is_matrix(*variable)) {
    const std::string name = path.substr(path.rfind('.') + 1);
    ArraySet set{.place = file.place()};
    set.arrays.push_back(lazy_array(name, *variable, [&file, found, name] {
      return mat::values_of(file, name, *found.variable);
    }));
    sets.push_back(std::move(set));
  } else {
    file.fail(path, fmt::format("is {}, neither a numeric matrix nor a structure",
                                mat::type_name(*variable)));
  }
  for (ArraySet& set : sets) {
    add_time_variables(file, set);
  }
  return sets;
}

const matvar_t* find_variable(const File& file, const std::string& name) {
  for (const auto& variable : file.variables()) {
    if (name_of(*variable) == name) {
      return variable.get();
    }
  }
  return nullptr;
}

// The variables, or the fields of the only structure where no variable is an array of numbers.
std::vector<ArraySet> sets_of_file(const File& file) {
  const matvar_t* structure = nullptr;
  std::size_t structures = 0;
  bool has_arrays = false;
  for (const auto& variable : file.variables()) {
    has_arrays = has_arrays || (mat::is_matrix(*variable) && mat::element_count(*variable) > 1);
    if (variable->class_type == MAT_C_STRUCT) {
      structure = variable.get();
      ++structures;
    }
  }
  if (!has_arrays && structures == 1) {
    return sets_of_path(file, name_of(*structure));
  }
  if (file.variables().empty()) {
    throw DataError(file.place(), "holds no variables");
  }
  return {variables_set(file)};
}

class OwnReader {
 public:
  explicit OwnReader(const File& file) : file_(file), info_(file.read(mat::kInfo)) {}

  [[nodiscard]] ArraySet set() const {
    ArraySet set{.place = file_.place(), .axis = axis()};
    set.title = text(mat::field_of(info_.get(), "title"), "title");
    const auto variables = texts("variables");
    const auto names = texts("names");
    const auto units = texts("units");
    const auto descriptions = texts("descriptions");
    if (names.size() != variables.size() || units.size() != variables.size() ||
        descriptions.size() != variables.size()) {
      file_.fail(mat::kInfo, "its texts have different numbers of lines");
    }
    for (std::size_t c = 0; c < variables.size(); ++c) {
      const matvar_t* variable = find_variable(file_, variables[c]);
      if (variable == nullptr || !mat::is_matrix(*variable) || variable->isComplex != 0 ||
          static_cast<Eigen::Index>(variable->dims[0]) != set.axis->size() ||
          variable->dims[1] != 1) {
        file_.fail(variables[c], fmt::format("is missing or not {} samples long (truncated file?)",
                                             set.axis->size()));
      }
      set.arrays.push_back(variable_array(file_, *variable));
      set.arrays.back().name = names[c];
      set.arrays.back().unit = units[c];
      set.arrays.back().description = descriptions[c];
    }
    return set;
  }

 private:
  [[nodiscard]] std::string text(const matvar_t* variable, const char* field) const {
    const auto found = mat::text_of(variable);
    if (!found) {
      file_.fail(mat::kInfo, fmt::format("field {} is missing or no text", field));
    }
    return *found;
  }

  [[nodiscard]] std::vector<std::string> texts(const char* field) const {
    return unescaped_lines(text(mat::field_of(info_.get(), field), field));
  }

  [[nodiscard]] std::optional<double> number(const char* field) const {
    const matvar_t* variable = mat::field_of(info_.get(), field);
    if (variable == nullptr || !mat::is_matrix(*variable) || mat::element_count(*variable) != 1) {
      return std::nullopt;
    }
    return mat::values_of(file_, field, *variable).real(0, 0);
  }

  [[nodiscard]] signal::TimeAxis axis() const {
    const matvar_t* time = find_variable(file_, mat::kTime);
    if (time == nullptr || !mat::is_matrix(*time) || time->dims[1] != 1) {
      file_.fail(mat::kTime, "is missing (truncated file?)");
    }
    const auto step = number("step");
    const auto start = number("start");
    if (step && start) {
      return axis_of_step(static_cast<Eigen::Index>(time->dims[0]), *step, *start, "step",
                          file_.place());
    }
    return given_axis(file_.numbers(*time).real.reshaped(), mat::kTime, file_.place());
  }

  const File& file_;
  mat::Variable info_;
};

std::string only_matrix(const File& file) {
  std::vector<std::string> found;
  for (const auto& variable : file.variables()) {
    if (mat::is_matrix(*variable) || variable->class_type == MAT_C_SPARSE) {
      found.push_back(name_of(*variable));
    }
  }
  if (found.size() != 1) {
    found.resize(std::min<std::size_t>(found.size(), 8));
    throw DataError(file.place(),
                    found.empty()
                        ? "holds no numeric matrices"
                        : fmt::format("holds several variables, give one: {}", join(found, ", ")));
  }
  return found.front();
}

void append(std::vector<StoredArray>& list, const std::string& name, const matvar_t& variable) {
  StoredArray entry{name, {}, mat::type_name(variable)};
  for (int d = 0; d < variable.rank; ++d) {
    entry.size.push_back(static_cast<long long>(variable.dims[d]));
  }
  list.push_back(std::move(entry));
}

}  // namespace

signal::Records read_mat(const std::filesystem::path& file, const ReadOptions& options) {
  const hdf5::Session session;
  const File content(file);
  if (!options.dataset.empty()) {
    return assemble_records(sets_of_path(content, options.dataset), options);
  }
  const matvar_t* info = find_variable(content, mat::kInfo);
  if (info != nullptr && info->class_type == MAT_C_STRUCT) {
    return {assemble_record(OwnReader(content).set(), options)};
  }
  return assemble_records(sets_of_file(content), options);
}

Eigen::SparseMatrix<double> read_mat_sparse(const std::filesystem::path& file,
                                            const std::string& dataset) {
  const hdf5::Session session;
  const File content(file);
  const std::string path = dataset.empty() ? only_matrix(content) : dataset;
  const Found found = find_path(content, path);
  if (found.variable->class_type == MAT_C_SPARSE) {
    return mat::sparse_of(content, path, *found.variable);
  }
  if (!mat::is_matrix(*found.variable) || found.variable->isComplex != 0) {
    content.fail(path,
                 fmt::format("must be a real matrix, is {}", mat::type_name(*found.variable)));
  }
  return mat::values_of(content, path, *found.variable).real.sparseView(1.0, 0.0);
}

Eigen::MatrixXd read_mat_matrix(const std::filesystem::path& file, const std::string& dataset) {
  const hdf5::Session session;
  const File content(file);
  const std::string path = dataset.empty() ? only_matrix(content) : dataset;
  const Found found = find_path(content, path);
  const matvar_t& variable = *found.variable;
  if (variable.class_type == MAT_C_SPARSE) {
    const std::size_t rows = std::max<std::size_t>(1, variable.dims[0]);
    if (variable.dims[1] > static_cast<std::size_t>(kLargestDenseMatrix) / rows) {
      content.fail(path, fmt::format("a dense matrix of {} x {} is too large: read it as sparse",
                                     variable.dims[0], variable.dims[1]));
    }
    return mat::sparse_of(content, path, variable);
  }
  if (!mat::is_matrix(variable) || variable.isComplex != 0) {
    content.fail(path, fmt::format("must be a real matrix, is {}", mat::type_name(variable)));
  }
  return mat::values_of(content, path, variable).real;
}

std::vector<StoredArray> list_mat(const std::filesystem::path& file) {
  const hdf5::Session session;
  const File content(file);
  std::vector<StoredArray> list;
  for (const auto& variable : content.variables()) {
    const std::string name = name_of(*variable);
    append(list, name, *variable);
    if (variable->class_type == MAT_C_STRUCT && mat::element_count(*variable) == 1) {
      for (const std::string& field : mat::field_names(variable.get())) {
        if (const matvar_t* inner = mat::field_of(variable.get(), field)) {
          append(list, fmt::format("{}.{}", name, field), *inner);
        }
      }
    }
  }
  return list;
}

}  // namespace alembert::io
