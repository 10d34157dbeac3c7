#include <fmt/core.h>
#include <matio.h>

#include <algorithm>
#include <memory>

#include "alembert/core/error.hpp"
#include "alembert/io/mat.hpp"
#include "alembert/io/mat_matrices.hpp"
#include "io/file/escaped_text.hpp"
#include "io/file/file_content.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/hdf5/library.hpp"
#include "io/mat/file.hpp"
#include "io/mat/variables.hpp"
#include "io/record/record_parts.hpp"

namespace alembert::io {

namespace {

using mat::new_numbers;
using mat::new_text;
using mat::NewVariable;

// Names that MATLAB takes, all different, and none of those kept for the time and the information.
std::vector<std::string> variable_names(const signal::Record& record) {
  std::vector<std::string> names = {mat::kTime, mat::kInfo};
  for (const signal::Channel& channel : record.channels()) {
    names.push_back(mat::valid_name(channel.name));
  }
  make_unique(names);
  return {names.begin() + 2, names.end()};
}

class MatWriter {
 public:
  MatWriter(const std::filesystem::path& file, const std::filesystem::path& part,
            MatVersion version)
      : name_(file.string()) {
    const bool v5 = version == MatVersion::V5;
    const std::string header =
        fmt::format("MATLAB {} MAT-file, written by Alembert", v5 ? "5.0" : "7.3");
    file_.reset(Mat_CreateVer(part.c_str(), header.c_str(), v5 ? MAT_FT_MAT5 : MAT_FT_MAT73));
    if (!file_) {
      throw DataError({.file = name_}, "the file cannot be made (permissions or disk full)");
    }
  }

  void numbers(const std::string& name, Eigen::Index rows, Eigen::Index columns,
               const double* values) {
    write(name, new_numbers(name.c_str(), rows, columns, values));
  }

  // Lines of text, not cells: in version 7.3 a cell is a list of references that Octave does not
  // read and matio reads in quadratic time.
  void info(const signal::Record& record, const std::vector<std::string>& variables) {
    const char* fields[] = {"title",        "variables", "names", "units",
                            "descriptions", "step",      "start"};
    std::size_t one[2] = {1, 1};
    NewVariable info(Mat_VarCreateStruct(mat::kInfo, 2, one, static_cast<const char**>(fields), 7));
    std::vector<std::string> names;
    std::vector<std::string> units;
    std::vector<std::string> descriptions;
    for (const signal::Channel& channel : record.channels()) {
      names.push_back(channel.name);
      units.push_back(channel.unit);
      descriptions.push_back(channel.description);
    }
    set(info, "title", new_text(nullptr, record.title()));
    set(info, "variables", new_text(nullptr, escaped_lines(variables)));
    set(info, "names", new_text(nullptr, escaped_lines(names)));
    set(info, "units", new_text(nullptr, escaped_lines(units)));
    set(info, "descriptions", new_text(nullptr, escaped_lines(descriptions)));
    const bool uniform = record.time().is_uniform();
    const double step = uniform ? record.time().step() : 0.0;
    const double start = uniform ? record.time().start() : 0.0;
    set(info, "step", new_numbers("step", uniform ? 1 : 0, uniform ? 1 : 0, &step));
    set(info, "start", new_numbers("start", uniform ? 1 : 0, uniform ? 1 : 0, &start));
    write(mat::kInfo, std::move(info));
  }

  void close() {
    if (Mat_Close(file_.release()) != 0) {
      throw DataError({.file = name_}, "cannot be written (disk full?)");
    }
  }

 private:
  struct CloseFile {
    void operator()(mat_t* file) const { Mat_Close(file); }
  };

  // The structure owns the field from here on.
  static void set(const NewVariable& info, const char* field, NewVariable value) {
    Mat_VarSetStructFieldByName(info.get(), field, 0, value.release());
  }

  void write(const std::string& name, NewVariable variable) {
    if (!variable || Mat_VarWrite(file_.get(), variable.get(), MAT_COMPRESSION_NONE) != 0) {
      throw DataError({.file = name_},
                      fmt::format("variable {} cannot be written (disk full?)", excerpt(name)));
    }
  }

  std::string name_;
  std::unique_ptr<mat_t, CloseFile> file_;
};

// An element of version 5 counts its bytes, 8 a number and less than 512 of header, with 31 bits.
void check_size(const char* function, long long count, MatVersion version) {
  const long long largest = (1LL << 28) - 64;
  if (version == MatVersion::V5 && count > largest) {
    throw InvalidInput({.function = std::string(function),
                        .item = "a variable of version 5",
                        .rule = fmt::format("must have at most {} numbers", largest),
                        .value = fmt::format("{}; use MatVersion::V73", count)});
  }
}

void check_name(const char* function, const char* argument, const std::string& name) {
  if (mat::is_valid_name(name)) return;
  throw InvalidInput({.function = function,
                      .argument = argument,
                      .rule = "must be a valid MATLAB name",
                      .value = excerpt(name)});
}

}  // namespace

void write_mat(const std::filesystem::path& file, const signal::Record& record,
               MatVersion version) {
  if (record.channel_count() == 0 || record.size() == 0) {
    throw InvalidInput({.function = "write_mat",
                        .argument = "record",
                        .rule = "must have at least one channel and one sample",
                        .value = fmt::format("{} x {}", record.size(), record.channel_count())});
  }
  check_size("write_mat", record.size(), version);
  const hdf5::Session session;
  replace_file(file, [&](const std::filesystem::path& part) {
    MatWriter writer(file, part, version);
    const std::vector<std::string> variables = variable_names(record);
    writer.info(record, variables);
    writer.numbers(mat::kTime, record.size(), 1, record.time().times().data());
    for (std::size_t c = 0; c < variables.size(); ++c) {
      writer.numbers(variables[c], record.size(), 1,
                     record.samples().col(static_cast<Eigen::Index>(c)).data());
    }
    writer.close();
  });
}

void write_mat_matrix(const std::filesystem::path& file,
                      const Eigen::Ref<const Eigen::MatrixXd>& matrix, const std::string& dataset,
                      MatVersion version) {
  check_name("write_mat_matrix", "dataset", dataset);
  check_size("write_mat_matrix", matrix.size(), version);
  const hdf5::Session session;
  const Eigen::MatrixXd values = matrix;
  replace_file(file, [&](const std::filesystem::path& part) {
    MatWriter writer(file, part, version);
    writer.numbers(dataset, values.rows(), values.cols(), values.data());
    writer.close();
  });
}

void write_mat_matrices(const std::filesystem::path& file, const std::vector<NamedMatrix>& matrices,
                        MatVersion version) {
  for (const NamedMatrix& one : matrices) {
    check_name("write_mat_matrices", "name", one.name);
    check_size("write_mat_matrices", one.values.size(), version);
  }
  const hdf5::Session session;
  replace_file(file, [&](const std::filesystem::path& part) {
    MatWriter writer(file, part, version);
    for (const NamedMatrix& one : matrices) {
      writer.numbers(one.name, one.values.rows(), one.values.cols(), one.values.data());
    }
    writer.close();
  });
}

}  // namespace alembert::io
