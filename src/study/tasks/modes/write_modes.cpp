#include "alembert/io/table.hpp"
#include "alembert/study/modes.hpp"
#include "study/result/json.hpp"

namespace alembert::study {
namespace {

// One row per output, real and imaginary part of each mode in turn.
Eigen::MatrixXd shape_columns(const ModesOutcome& result) {
  const auto count = static_cast<Eigen::Index>(result.modes.size());
  Eigen::MatrixXd columns(static_cast<Eigen::Index>(result.study.outputs.size()), 2 * count);
  for (Eigen::Index r = 0; r < count; ++r) {
    const Eigen::VectorXcd& shape = result.modes[static_cast<std::size_t>(r)].shape;
    columns.col(2 * r) = shape.real();
    columns.col(2 * r + 1) = shape.imag();
  }
  return columns;
}

}  // namespace

void write_modes_result(const ModesOutcome& result, const std::filesystem::path& folder) {
  if (!result.modes.empty()) io::write_matrix(folder / "shapes.csv", shape_columns(result));
  write_result(describe(result), folder);
}

}  // namespace alembert::study
