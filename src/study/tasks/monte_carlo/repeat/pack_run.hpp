#pragma once

#include <Eigen/Core>

#include "alembert/study/repeat.hpp"

namespace alembert::study {

/// A run as one row of numbers, the form in which it travels between machines and rests in the
/// journal: status, verdict, counts, figures, then names and message letter by letter.
[[nodiscard]] Eigen::RowVectorXd packed_repeat(const RepeatRun& run);
/// The run that a row holds. @throws InvalidInput if the row is no run.
[[nodiscard]] RepeatRun unpacked_repeat(const Eigen::Ref<const Eigen::RowVectorXd>& row);

}  // namespace alembert::study
