#pragma once

#include <string>
#include <vector>

#include "alembert/study/simulate.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Reads and checks the table [model].
/// @throws StudyError for sizes that disagree, asymmetry, M not positive definite, bad names, ...
/// @throws DataError if a matrix file cannot be used.
[[nodiscard]] ModelDescription read_model(const TableReader& model, const FileContext& files);

/// Reads mass, stiffness and damping of [model] or [truth]; L stays empty.
/// @throws StudyError, DataError as read_model().
[[nodiscard]] model::SecondOrder read_matrices(const TableReader& table, const FileContext& files);

/// The force distribution L, n x m; the identity without the key.
[[nodiscard]] Eigen::MatrixXd read_forces(const TableReader& model, const FileContext& files,
                                          const std::vector<std::string>& coordinates);

/// The names that a key gives, or letter1, letter2, ...
[[nodiscard]] std::vector<std::string> read_names(const TableReader& model, const std::string& key,
                                                  Eigen::Index count, const std::string& letter);

/// Reads [model.units] for the coordinates and inputs that the description names.
void read_unit_labels(const TableReader& units, ModelDescription& result);

/// The matrix that a key gives: rows, a number, a file or { diagonal } or { file, dataset }.
[[nodiscard]] Eigen::MatrixXd read_matrix_key(const TableReader& table, const std::string& key,
                                              const FileContext& files);

/// Checks that names are usable in records: not empty, no blanks, commas or quotes, unique, and
/// not "all", which studies reserve.
void check_names(const TableReader& table, const std::string& key,
                 const std::vector<std::string>& names);

/// Whether a text can serve as a name.
[[nodiscard]] bool is_name(const std::string& text);

/// Index of a name, or -1.
[[nodiscard]] Eigen::Index index_of(const std::vector<std::string>& names, const std::string& name);

/// "3 x 4"
[[nodiscard]] std::string size_text(const Eigen::MatrixXd& matrix);

}  // namespace alembert::study
