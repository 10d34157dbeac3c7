#include <fmt/core.h>
#include <matio.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "io/file/memory_limit.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/hdf5/library.hpp"
#include "io/hdf5/storage.hpp"
#include "io/mat/file.hpp"
#include "io/mat/matrix_element.hpp"
#include "io/mat/utf16.hpp"

namespace alembert::io::mat {

namespace {

// No filter of HDF5 makes numbers smaller than this times: a larger claim is a broken file.
constexpr std::uintmax_t kLargestCompression = 2000;
constexpr std::uintmax_t kAlwaysAllowed = 1U << 23U;

struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using Stored = std::unique_ptr<matvar_t, FreeVariable>;

template <typename Number>
void converted(const void* data, Eigen::VectorXd& to) {
  const auto* bytes = static_cast<const char*>(data);
  for (Eigen::Index k = 0; k < to.size(); ++k) {
    Number number{};
    std::memcpy(&number, bytes + static_cast<std::size_t>(k) * sizeof(Number), sizeof(Number));
    to(k) = static_cast<double>(number);
  }
}

std::optional<Eigen::VectorXd> numbers_of(matio_types type, const void* data, std::size_t count) {
  using Convert = void (*)(const void*, Eigen::VectorXd&);
  struct Known {
    matio_types type;
    Convert convert;
  };
  static constexpr std::array<Known, 10> kKnown{{{MAT_T_DOUBLE, converted<double>},
                                                 {MAT_T_SINGLE, converted<float>},
                                                 {MAT_T_INT8, converted<std::int8_t>},
                                                 {MAT_T_UINT8, converted<std::uint8_t>},
                                                 {MAT_T_INT16, converted<std::int16_t>},
                                                 {MAT_T_UINT16, converted<std::uint16_t>},
                                                 {MAT_T_INT32, converted<std::int32_t>},
                                                 {MAT_T_UINT32, converted<std::uint32_t>},
                                                 {MAT_T_INT64, converted<std::int64_t>},
                                                 {MAT_T_UINT64, converted<std::uint64_t>}}};
  const auto* known = std::find_if(kKnown.begin(), kKnown.end(),
                                   [&](const Known& each) { return each.type == type; });
  if (known == kKnown.end()) return std::nullopt;
  Eigen::VectorXd numbers(static_cast<Eigen::Index>(count));
  known->convert(data, numbers);
  return numbers;
}

// Everything about a variable but its content and its fields.
Variable head_of(const matvar_t& stored) {
  Variable variable;
  variable.name = stored.name == nullptr ? "" : stored.name;
  variable.kind = static_cast<Kind>(stored.class_type);
  variable.complex = stored.isComplex != 0;
  variable.logical = stored.isLogical != 0;
  for (int d = 0; d < stored.rank && stored.dims != nullptr; ++d) {
    variable.size.push_back(stored.dims[d]);
  }
  return variable;
}

std::optional<std::string> text_of(const matvar_t& stored) {
  const auto size = static_cast<std::size_t>(std::max(0, stored.data_size));
  if (head_of(stored).count() == 0) return std::string();
  if (stored.data == nullptr || size == 0 || stored.nbytes < size) return std::nullopt;
  const std::size_t units = stored.nbytes / size;
  if (size == 2) {
    std::u16string text(units, u'\0');
    std::memcpy(text.data(), stored.data, 2 * units);
    return from_utf16(text);
  }
  return to_utf8({static_cast<const char*>(stored.data), stored.nbytes});
}

class Version73 final : public File {
 public:
  Version73(const std::filesystem::path& path, const ByteSource& source, const ReadLimits& limits)
      : File(source.name(), limits),
        most_numbers_(kAlwaysAllowed + kLargestCompression / sizeof(double) * source.size()) {
    hdf5::check_storage(path, source, limits);
    handle_.reset(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
    if (!handle_) {
      hdf5::fail(name_, "", "cannot be opened as a MATLAB file (truncated?)");
    }
    while (matvar_t* info = Mat_VarReadNextInfo(handle_.get())) {
      const Stored owner(info);
      variables_.push_back(head_of(*info));
      fields_.push_back(with_fields(*info, false, 0));
      variables_.back().element = variables_.size() - 1;
    }
  }

  [[nodiscard]] ArrayValues numbers(const Variable& variable) const override {
    return read(variable, true).numbers;
  }

  [[nodiscard]] Variable read(const Variable& variable, bool content) const override {
    if (!content) return fields_[variable.element];
    Stored stored(Mat_VarReadInfo(handle_.get(), variable.name.c_str()));
    if (!stored) fail(variable.name, "cannot be read (broken file?)");
    check_room(*stored);
    if (stored->class_type == MAT_C_STRUCT || stored->class_type == MAT_C_CELL) {
      stored.reset(Mat_VarRead(handle_.get(), variable.name.c_str()));
    } else if (Mat_VarReadDataAll(handle_.get(), stored.get()) != 0) {
      fail(variable.name, "its data cannot be read (broken file?)");
    }
    if (!stored) fail(variable.name, "cannot be read (broken file?)");
    return with_fields(*stored, true, 0);
  }

 private:
  struct CloseFile {
    void operator()(mat_t* file) const { Mat_Close(file); }
  };

  void check_room(const matvar_t& stored) const {
    if (stored.class_type == MAT_C_SPARSE) return;
    const Variable head = head_of(stored);
    if (head.count() > most_numbers_) {
      fail(head.name, "its size is not believable in a file of this size");
    }
    require_room(name_, "variable " + excerpt(head.name), head.count(), head.complex ? 2 : 1,
                 sizeof(double), limits_);
  }

  [[nodiscard]] Variable with_fields(const matvar_t& stored, bool content, int level) const {
    Variable variable = head_of(stored);
    if (level > kDeepestStructure) {
      fail(variable.name, fmt::format("structures inside {} others", kDeepestStructure));
    }
    if (variable.kind == Kind::Struct) {
      add_fields(stored, content, level, variable);
    } else if (content && variable.kind == Kind::Text) {
      variable.text = text_of(stored);
    } else if (content && variable.kind == Kind::Sparse) {
      add_sparse(stored, variable);
    } else if (content && variable.kind >= Kind::Double && variable.kind <= Kind::Uint64) {
      add_numbers(stored, variable);
    }
    return variable;
  }

  void add_fields(const matvar_t& stored, bool content, int level, Variable& variable) const {
    auto* structure = const_cast<matvar_t*>(&stored);
    char* const* names = Mat_VarGetStructFieldnames(structure);
    const unsigned count = Mat_VarGetNumberOfFields(structure);
    for (unsigned f = 0; names != nullptr && f < count; ++f) {
      variable.fields.emplace_back(names[f] == nullptr ? "" : names[f]);
    }
    if (variable.fields.empty()) {
      variable.size = {0, 0};
      return;
    }
    require_room(name_, "a structure array", variable.count(), variable.fields.size(),
                 sizeof(Variable), limits_);
    for (std::size_t k = 0; k < variable.count(); ++k) {
      for (unsigned f = 0; f < variable.fields.size(); ++f) {
        const matvar_t* field = Mat_VarGetStructFieldByIndex(structure, f, k);
        variable.parts.push_back(field == nullptr ? Variable{.size = {0, 0}}
                                                  : with_fields(*field, content, level + 1));
        variable.parts.back().name = variable.fields[f];
      }
    }
  }

  [[nodiscard]] Eigen::MatrixXd values(const matvar_t& stored, const Variable& variable,
                                       const void* data) const {
    const std::size_t count = variable.count();
    const auto rows = static_cast<Eigen::Index>(variable.size[0]);
    if (count == 0) return {rows, static_cast<Eigen::Index>(variable.size.back())};
    if (data == nullptr || stored.nbytes / Mat_SizeOf(stored.data_type) < count) {
      fail(variable.name, "its data cannot be read (broken file?)");
    }
    const auto numbers = numbers_of(stored.data_type, data, count);
    if (!numbers) {
      fail(variable.name,
           fmt::format("numbers of type {} cannot be read", static_cast<int>(stored.data_type)));
    }
    return numbers->reshaped(rows, static_cast<Eigen::Index>(count) / rows);
  }

  void add_numbers(const matvar_t& stored, Variable& variable) const {
    if (variable.size.size() < 2) fail(variable.name, "has no size (broken file?)");
    if (!variable.complex) {
      variable.numbers.real = values(stored, variable, stored.data);
      return;
    }
    const auto* parts = static_cast<const mat_complex_split_t*>(stored.data);
    variable.numbers.real = values(stored, variable, parts == nullptr ? nullptr : parts->Re);
    variable.numbers.imaginary = values(stored, variable, parts == nullptr ? nullptr : parts->Im);
  }

  void add_sparse(const matvar_t& stored, Variable& variable) const {
    const auto* parts = static_cast<const mat_sparse_t*>(stored.data);
    if (parts == nullptr || parts->jc == nullptr || (parts->nir > 0 && parts->ir == nullptr)) {
      fail(variable.name, "the index of the sparse matrix is broken");
    }
    if (variable.complex) return;
    variable.sparse.rows.assign(parts->ir, parts->ir + parts->nir);
    variable.sparse.starts.assign(parts->jc, parts->jc + parts->njc);
    if (parts->ndata == 0 || parts->data == nullptr) return;
    const auto numbers = numbers_of(stored.data_type, parts->data, parts->ndata);
    if (!numbers) fail(variable.name, "must be a real sparse matrix");
    variable.sparse.values = *numbers;
  }

  std::uintmax_t most_numbers_;  // of a variable
  std::unique_ptr<mat_t, CloseFile> handle_;
  std::vector<Variable> fields_;
};

}  // namespace

std::unique_ptr<File> open_version_73(const std::filesystem::path& path, const ByteSource& source,
                                      const ReadLimits& limits) {
  return std::make_unique<Version73>(path, source, limits);
}

}  // namespace alembert::io::mat
