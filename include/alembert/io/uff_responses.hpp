#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <vector>

#include "alembert/io/uff.hpp"

namespace alembert::io {

/// Frequency responses of all references and all responses on common lines.
struct UffResponses {
  Eigen::VectorXd frequencies_hz;
  std::vector<std::string> outputs, inputs;            ///< "12:+X", in the order of the file
  std::vector<std::string> output_units, input_units;  ///< "" where the file names none
  Eigen::MatrixXcd values;  ///< lines x (l m): column j l + o is output o, input j
};

/// Puts the frequency responses (function type 4) of a universal file together. Other functions
/// are passed over.
/// @param file name for messages.
/// @throws DataError if there is none, one is real or on other lines than the first, a pair of
///   response and reference is there twice, or one is missing; it names the pair.
[[nodiscard]] UffResponses uff_responses(const std::vector<UffFunction>& functions,
                                         const std::string& file);

/// The same from a file.
[[nodiscard]] UffResponses read_uff_responses(const std::filesystem::path& file);

}  // namespace alembert::io
