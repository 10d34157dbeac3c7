#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <vector>

#include "alembert/io/mat.hpp"

namespace alembert::io {

/// A matrix under its name.
struct NamedMatrix {
  std::string name;
  Eigen::MatrixXd values;
};
/// Writes several matrices as variables, replacing the file.
/// @throws InvalidInput unless all names are valid MATLAB names; DataError if the file cannot be
/// written.
void write_mat_matrices(const std::filesystem::path& file, const std::vector<NamedMatrix>& matrices,
                        MatVersion version = MatVersion::V5);

}  // namespace alembert::io
