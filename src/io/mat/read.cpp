#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/text.hpp"
#include "alembert/io/mat.hpp"
#include "alembert/io/matrix_market.hpp"
#include "io/confined/read_confined.hpp"
#include "io/file/escaped_text.hpp"
#include "io/file/memory_limit.hpp"
#include "io/file/regular_file.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/hdf5/library.hpp"
#include "io/mat/file.hpp"
#include "io/record/time_column.hpp"

namespace alembert::io {

namespace {

using mat::File;
using mat::Variable;

// Shared by the lazy arrays of one structure: its fields are read together.
using SharedVariable = std::shared_ptr<const Variable>;

LazyArray lazy_array(const std::string& name, const Variable& variable,
                     std::function<ArrayValues()> load) {
  return {.name = name,
          .rows = static_cast<Eigen::Index>(variable.size[0]),
          .columns = static_cast<Eigen::Index>(variable.size[1]),
          .complex = variable.complex,
          .single_precision = variable.kind == mat::Kind::Single,
          .load = std::move(load)};
}

LazyArray variable_array(const File& file, const Variable& variable) {
  return lazy_array(variable.name, variable, [&file, &variable] { return file.numbers(variable); });
}

ArraySet structure_set(const File& file, const SharedVariable& structure, const Variable& inner,
                       const std::string& title, std::size_t index) {
  ArraySet set{.place = file.place(), .title = title};
  for (const std::string& name : inner.fields) {
    const Variable* field = inner.field(name, index);
    if (field != nullptr && field->is_matrix()) {
      set.arrays.push_back(lazy_array(name, *field, [structure, field] { return field->numbers; }));
    }
  }
  return set;
}

// Beside a chosen part of the file: what gives the time among the variables.
void add_time_variables(const File& file, ArraySet& set) {
  for (const Variable& variable : file.variables()) {
    if (!variable.is_matrix()) {
      continue;
    }
    LazyArray array = variable_array(file, variable);
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
  for (const Variable& variable : file.variables()) {
    if (variable.is_matrix()) {
      set.arrays.push_back(variable_array(file, variable));
    }
  }
  return set;
}

std::vector<std::string> variable_names(const File& file) {
  std::vector<std::string> names;
  for (const Variable& variable : file.variables()) {
    names.push_back(variable.name);
  }
  return names;
}

// A variable by its path `a.b.c`, read, and the one inside that the path names.
struct Found {
  SharedVariable owner;
  const Variable* variable = nullptr;
};

Found find_path(const File& file, const std::string& path) {
  const std::size_t dot = std::min(path.find('.'), path.size());
  const Variable* head = file.find(path.substr(0, dot));
  if (head == nullptr) {
    throw DataError(file.place(),
                    unknown_name("variable", path.substr(0, dot), variable_names(file)));
  }
  Found found{std::make_shared<const Variable>(file.read(*head, true)), nullptr};
  found.variable = found.owner.get();
  for (std::size_t begin = dot; begin < path.size();) {
    const std::size_t end = std::min(path.find('.', begin + 1), path.size());
    const std::string field = path.substr(begin + 1, end - begin - 1);
    const Variable* inner = found.variable->field(field);
    if (inner == nullptr) {
      file.fail(path.substr(0, begin), found.variable->kind == mat::Kind::Struct
                                           ? unknown_name("field", field, found.variable->fields)
                                           : "is not a structure");
    }
    found.variable = inner;
    begin = end;
  }
  return found;
}

// The cells of a time that is a cell array too, one for each record.
SharedVariable time_cells(const File& file, const std::string& time, std::size_t count) {
  const Variable* head = time.empty() ? nullptr : file.find(time);
  if (head == nullptr || head->kind != mat::Kind::Cell) return nullptr;
  if (head->count() != count) {
    file.fail(time, fmt::format("has {} cells where the channels have {}", head->count(), count));
  }
  return std::make_shared<const Variable>(file.read(*head, true));
}

// Each cell is a record.
std::vector<ArraySet> cell_sets(const File& file, const Found& found, const std::string& path,
                                const std::string& time) {
  const std::vector<Variable>& cells = found.variable->parts;
  const SharedVariable times = time_cells(file, time, cells.size());
  const std::string name = path.substr(path.rfind('.') + 1);
  std::vector<ArraySet> sets;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const Variable& cell = cells[k];
    if (!cell.is_matrix()) {
      file.fail(cell.name, fmt::format("is {}, no numeric matrix", mat::type_name(cell)));
    }
    ArraySet set{.place = file.place(), .title = cell.name};
    set.arrays.push_back(
        lazy_array(name, cell, [owner = found.owner, &cell] { return cell.numbers; }));
    if (times && times->parts[k].is_matrix()) {
      const Variable& own = times->parts[k];
      set.arrays.push_back(lazy_array(time, own, [times, &own] { return own.numbers; }));
    }
    sets.push_back(std::move(set));
  }
  if (sets.empty()) file.fail(path, "is a cell array that holds nothing");
  return sets;
}

std::vector<ArraySet> sets_of_path(const File& file, const std::string& path,
                                   const std::string& time) {
  const Found found = find_path(file, path);
  const Variable& variable = *found.variable;
  std::vector<ArraySet> sets;
  if (variable.kind == mat::Kind::Struct) {
    const std::size_t count = variable.count();
    if (count == 0) file.fail(path, "is a structure that holds nothing");
    for (std::size_t index = 0; index < count; ++index) {
      const std::string title = count == 1 ? path : fmt::format("{}({})", path, index + 1);
      sets.push_back(structure_set(file, found.owner, variable, title, index));
    }
  } else if (variable.is_matrix()) {
    const std::string name = path.substr(path.rfind('.') + 1);
    ArraySet set{.place = file.place()};
    set.arrays.push_back(lazy_array(name, variable, [found] { return found.variable->numbers; }));
    sets.push_back(std::move(set));
  } else if (variable.kind == mat::Kind::Cell && variable.parts.size() == variable.count()) {
    sets = cell_sets(file, found, path, time);
  } else {
    file.fail(path, fmt::format("is {}, neither a numeric matrix nor a structure",
                                mat::type_name(variable)));
  }
  for (ArraySet& set : sets) {
    add_time_variables(file, set);
  }
  return sets;
}

// The variables, or the fields of the only structure where no variable is an array of numbers.
std::vector<ArraySet> sets_of_file(const File& file, const std::string& time) {
  const Variable* structure = nullptr;
  std::size_t structures = 0;
  bool has_arrays = false;
  std::vector<std::string> groups;
  for (const Variable& variable : file.variables()) {
    if (variable.kind == mat::Kind::Struct || variable.kind == mat::Kind::Cell) {
      groups.push_back(variable.name);
    }
    has_arrays = has_arrays || (variable.is_matrix() && variable.count() > 1);
    if (variable.kind == mat::Kind::Struct) {
      structure = &variable;
      ++structures;
    }
  }
  if (!has_arrays && structures == 1) {
    return sets_of_path(file, structure->name, time);
  }
  if (!has_arrays && !groups.empty()) {
    throw DataError(file.place(), fmt::format("holds structures and cell arrays: choose one as the "
                                              "data set: {}",
                                              join(groups, ", ")));
  }
  if (file.variables().empty()) {
    throw DataError(file.place(), "holds no variables");
  }
  return {variables_set(file)};
}

class OwnReader {
 public:
  OwnReader(const File& file, const Variable& info) : file_(file), info_(file.read(info, true)) {}

  [[nodiscard]] ArraySet set() const {
    ArraySet set{.place = file_.place(), .axis = axis()};
    set.title = text("title");
    const auto variables = texts("variables");
    const auto names = texts("names");
    const auto units = texts("units");
    const auto descriptions = texts("descriptions");
    if (names.size() != variables.size() || units.size() != variables.size() ||
        descriptions.size() != variables.size()) {
      file_.fail(mat::kInfo, "its texts have different numbers of lines");
    }
    for (std::size_t c = 0; c < variables.size(); ++c) {
      const Variable* variable = file_.find(variables[c]);
      if (variable == nullptr || !variable->is_matrix() || variable->complex ||
          static_cast<Eigen::Index>(variable->size[0]) != set.axis->size() ||
          variable->size[1] != 1) {
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
  [[nodiscard]] std::string text(const char* field) const {
    const Variable* variable = info_.field(field);
    if (variable == nullptr || !variable->text) {
      file_.fail(mat::kInfo, fmt::format("field {} is missing or no text", field));
    }
    return *variable->text;
  }

  [[nodiscard]] std::vector<std::string> texts(const char* field) const {
    return unescaped_lines(text(field));
  }

  [[nodiscard]] std::optional<double> number(const char* field) const {
    const Variable* variable = info_.field(field);
    if (variable == nullptr || !variable->is_matrix() || variable->count() != 1) {
      return std::nullopt;
    }
    return variable->numbers.real(0, 0);
  }

  // The times are there twice, by step and start and one by one: they must agree.
  [[nodiscard]] signal::TimeAxis axis() const {
    const Variable* time = file_.find(mat::kTime);
    if (time == nullptr || !time->is_matrix() || time->size[1] != 1) {
      file_.fail(mat::kTime, "is missing (truncated file?)");
    }
    const Eigen::VectorXd times = file_.numbers(*time).real.reshaped();
    const auto step = number("step");
    const auto start = number("start");
    if (step.has_value() != start.has_value()) {
      file_.fail(mat::kInfo, fmt::format("has a {} without a {} (broken file?)",
                                         step ? "step" : "start", step ? "start" : "step"));
    }
    if (!step) return given_axis(times, mat::kTime, file_.place());
    signal::TimeAxis axis = axis_of_step(times.size(), *step, *start, "step", file_.place());
    for (Eigen::Index k = 0; k < times.size(); ++k) {
      const double tolerance = uniform_tolerance(*step, std::abs(axis[k]));
      if (!(std::abs(times(k) - axis[k]) <= tolerance)) {
        file_.fail(mat::kTime, fmt::format("sample {} is {} s, by step and start it is {} s "
                                           "(broken file?)",
                                           k + 1, shortest(times(k)), shortest(axis[k])));
      }
    }
    return axis;
  }

  const File& file_;
  Variable info_;
};

std::string only_matrix(const File& file) {
  std::vector<std::string> found;
  for (const Variable& variable : file.variables()) {
    if (variable.is_matrix() || variable.kind == mat::Kind::Sparse) {
      found.push_back(variable.name);
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

signal::Records records_of(const File& file, const ReadOptions& options) {
  if (!options.dataset.empty()) {
    return assemble_records(sets_of_path(file, options.dataset, options.time), options);
  }
  const Variable* info = file.find(mat::kInfo);
  if (info != nullptr && info->kind == mat::Kind::Struct) {
    return {assemble_record(OwnReader(file, *info).set(), options)};
  }
  return assemble_records(sets_of_file(file, options.time), options);
}

Eigen::SparseMatrix<double> sparse_matrix_of(const File& file, const std::string& dataset) {
  const std::string path = dataset.empty() ? only_matrix(file) : dataset;
  const Found found = find_path(file, path);
  if (found.variable->kind == mat::Kind::Sparse) {
    return mat::sparse_of(file, path, *found.variable);
  }
  if (!found.variable->is_matrix() || found.variable->complex) {
    file.fail(path, fmt::format("must be a real matrix, is {}", mat::type_name(*found.variable)));
  }
  return found.variable->numbers.real.sparseView(1.0, 0.0);
}

Eigen::MatrixXd matrix_of(const File& file, const std::string& dataset) {
  const std::string path = dataset.empty() ? only_matrix(file) : dataset;
  const Found found = find_path(file, path);
  const Variable& variable = *found.variable;
  if (variable.kind == mat::Kind::Sparse) {
    const std::size_t rows = std::max<std::size_t>(1, variable.size[0]);
    if (variable.size[1] > static_cast<std::size_t>(kLargestDenseMatrix) / rows) {
      file.fail(path, fmt::format("a dense matrix of {} x {} is too large: read it as sparse",
                                  variable.size[0], variable.size[1]));
    }
    require_room(file.place().file, "a matrix", rows, variable.size[1], sizeof(double),
                 file.limits());
    return mat::sparse_of(file, path, variable);
  }
  if (!variable.is_matrix() || variable.complex) {
    file.fail(path, fmt::format("must be a real matrix, is {}", mat::type_name(variable)));
  }
  return variable.numbers.real;
}

std::vector<StoredArray> list_of_mat(const File& file) {
  std::vector<StoredArray> list;
  const auto append = [&list](const std::string& name, const Variable& variable) {
    list.push_back({name, {variable.size.begin(), variable.size.end()}, mat::type_name(variable)});
  };
  for (const Variable& variable : file.variables()) {
    append(variable.name, variable);
    if (variable.kind == mat::Kind::Struct && variable.count() == 1) {
      for (const Variable& field : file.read(variable, false).parts) {
        append(fmt::format("{}.{}", variable.name, field.name), field);
      }
    }
  }
  return list;
}

// Files of version 5 are read here, whole and checked; those of 7.3 by the libraries of HDF5 and
// matio, in a process of their own.
template <typename Result, typename Read>
Result read_mat_file(const std::filesystem::path& file, const ReadLimits& limits,
                     const Read& read) {
  const RegularFile opened(file);
  const ByteSource source(opened);
  if (mat::version_of(source) == 2) {
    const std::string path = opened.path();
    const hdf5::Session session;
    return read_confined<Result>(file, time_limits(opened.size()), limits, [&] {
      const std::unique_ptr<File> content = mat::open_version_73(path, source, limits);
      return read(*content);
    });
  }
  return read_within_memory(file, [&] {
    const std::unique_ptr<File> content = mat::open_version_5(source, limits);
    Result result = read(*content);
    content->check_rest();
    return result;
  });
}

}  // namespace

signal::Records read_mat(const std::filesystem::path& file, const ReadOptions& options) {
  return read_mat_file<signal::Records>(
      file, options.limits, [&](const File& content) { return records_of(content, options); });
}

signal::Records parse_mat(std::string_view content, const std::string& name,
                          const ReadOptions& options) {
  const ByteSource source(content, name);
  if (mat::version_of(source) != 1) {
    throw DataError({.file = name}, "is not a MATLAB file of version 5");
  }
  const std::unique_ptr<File> file = mat::open_version_5(source, options.limits);
  signal::Records records = records_of(*file, options);
  file->check_rest();
  return records;
}

Eigen::SparseMatrix<double> read_mat_sparse(const std::filesystem::path& file,
                                            const std::string& dataset, const ReadLimits& limits) {
  return read_mat_file<Eigen::SparseMatrix<double>>(
      file, limits, [&](const File& content) { return sparse_matrix_of(content, dataset); });
}

Eigen::MatrixXd read_mat_matrix(const std::filesystem::path& file, const std::string& dataset,
                                const ReadLimits& limits) {
  return read_mat_file<Eigen::MatrixXd>(
      file, limits, [&](const File& content) { return matrix_of(content, dataset); });
}

std::vector<StoredArray> list_mat(const std::filesystem::path& file) {
  return read_mat_file<std::vector<StoredArray>>(file, {}, list_of_mat);
}

}  // namespace alembert::io
