#pragma once

#include <vector>

#include "alembert/identify/free_decay.hpp"

namespace alembert::identify {

/// The turning points between neighbouring crossings of a record, and before the first and after
/// the last one, as far as an eighth of a cycle of samples lies on both sides of them.
[[nodiscard]] std::vector<Extremum> extrema_between(const Eigen::Ref<const Eigen::VectorXd>& values,
                                                    double step, const Cycles& cycles);

}  // namespace alembert::identify
