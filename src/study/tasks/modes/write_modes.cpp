#include <algorithm>
#include <limits>

#include "alembert/io/table.hpp"
#include "alembert/study/modes.hpp"
#include "study/result/json.hpp"
#include "study/tasks/modes/shape_columns.hpp"

namespace alembert::study {

Eigen::MatrixXd shape_columns(const ModesOutcome& result) {
  const auto count = static_cast<Eigen::Index>(result.modes.size());
  const auto outputs = static_cast<Eigen::Index>(result.study.outputs.size());
  Eigen::MatrixXd columns =
      Eigen::MatrixXd::Constant(outputs, 2 * count, std::numeric_limits<double>::quiet_NaN());
  for (Eigen::Index r = 0; r < count; ++r) {
    const Eigen::VectorXcd& shape = result.modes[static_cast<std::size_t>(r)].shape;
    if (shape.size() != outputs) continue;
    columns.col(2 * r) = shape.real();
    columns.col(2 * r + 1) = shape.imag();
  }
  return columns;
}

bool has_shapes(const ModesOutcome& result) {
  return !result.modes.empty() &&
         std::all_of(result.modes.begin(), result.modes.end(), [&](const identify::Mode& mode) {
           return mode.shape.size() == static_cast<Eigen::Index>(result.study.outputs.size());
         });
}

void write_modes_result(const ModesOutcome& result, const std::filesystem::path& folder) {
  if (!result.modes.empty()) io::write_matrix(folder / "shapes.csv", shape_columns(result));
  write_result(describe(result), folder);
}

}  // namespace alembert::study
