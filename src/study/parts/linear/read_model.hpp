#pragma once

#include <string>
#include <vector>

#include "alembert/study/linear_model.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Reads and checks the table [model].
/// @throws StudyError for sizes that disagree, asymmetry, M not positive definite, bad names, ...
/// @throws DataError if a matrix file cannot be used.
[[nodiscard]] LinearModel read_model(const TableReader& model, const FileContext& files);

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
void read_unit_labels(const TableReader& units, LinearModel& result);

}  // namespace alembert::study
