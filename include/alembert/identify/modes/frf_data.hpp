#pragma once

#include <Eigen/Core>

#include "alembert/signal/frf.hpp"

namespace alembert::identify {

/// Frequency response functions of m inputs and l outputs, as data for modes.
///
/// The noise of an entry is taken to have the same standard deviation in its real and imaginary
/// part, line_deviation(k) output_deviation(o).
struct FrfData {
  Eigen::VectorXd frequencies_hz;         ///< strictly increasing, >= 0
  Eigen::Index outputs = 0;               ///< l
  Eigen::Index inputs = 0;                ///< m
  Eigen::MatrixXcd values;                ///< lines x (l m): column j l + o is output o, input j
  Eigen::VectorXd line_deviation = {};    ///< one per line; empty: not known
  Eigen::VectorXd output_deviation = {};  ///< one per output; empty: all alike

  [[nodiscard]] Eigen::Index lines() const { return frequencies_hz.size(); }
};

/// Checks sizes, order of lines and finite numbers. @throws InvalidInput in the name of `function`.
void check_frf_data(const char* function, const FrfData& data);

/// The lines of the band [from, to] of estimated FRFs, without singular ones and without 0 Hz.
/// Deviations are those of |H|, taken apart into a factor for each line and one for each output (in
/// the mean of their logarithms); without them the data have none.
/// @throws InvalidInput if fewer than 8 lines are left.
[[nodiscard]] FrfData frf_data(const signal::FrfResult& frf, double from_hz, double to_hz);

}  // namespace alembert::identify
