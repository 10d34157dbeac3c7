#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/study/measured_data.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// What one channel of the first experiment measured.
struct MeasuredSignal {
  std::string name;
  std::string unit;
  Eigen::VectorXd values;  ///< NaN where a sample is missing
};

/// "Measured signals": the channels over time and their spectra, one plot for each unit. For
/// reports without a model beside which the signals would stand: there the cause is in the data.
[[nodiscard]] Section measured_section(double start, double step,
                                       const std::vector<MeasuredSignal>& signals);

/// The inputs and outputs of the first experiment.
[[nodiscard]] std::vector<MeasuredSignal> measured_signals(
    const std::vector<study::ColumnUse>& inputs, const std::vector<study::ColumnUse>& outputs,
    const Eigen::MatrixXd& input, const Eigen::MatrixXd& output);

}  // namespace alembert::report
