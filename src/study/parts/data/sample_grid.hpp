#pragma once

#include <Eigen/Core>
#include <string>

#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// The samples of a simulated record.
struct SampleGrid {
  double step = 0.0;  ///< s
  Eigen::Index samples = 0;
};

/// The whole number of steps that a time stands for. @throws StudyError at the key if it is not a
/// multiple of the step within 1e-6 of a step, or less than one step.
[[nodiscard]] Eigen::Index steps_in(const TableReader& table, const std::string& key, double step);

}  // namespace alembert::study
