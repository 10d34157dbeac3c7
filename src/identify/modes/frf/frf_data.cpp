#include "alembert/identify/modes/frf_data.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::identify {
namespace {

constexpr Eigen::Index kFewestLines = 8;

// Means of the logarithms over lines and outputs: σ(k, o) ≈ line(k) output(o).
void split_deviations(const Eigen::MatrixXd& deviation, FrfData& data) {
  if (!deviation.allFinite() || deviation.minCoeff() <= 0.0) return;
  const Eigen::MatrixXd logarithm = deviation.array().log().matrix();
  const Eigen::VectorXd outputs =
      (logarithm.colwise().mean().array() - logarithm.mean()).transpose();
  data.line_deviation = logarithm.rowwise().mean().array().exp();
  data.output_deviation = outputs.array().exp();
}

}  // namespace

void check_frf_data(const char* function, const FrfData& data) {
  check::at_least(function, "lines of data", data.lines(), kFewestLines);
  check::at_least(function, "outputs of data", data.outputs, 1);
  check::at_least(function, "inputs of data", data.inputs, 1);
  check::size(function, "rows of values", data.values.rows(), data.lines());
  check::size(function, "columns of values", data.values.cols(), data.outputs * data.inputs);
  for (Eigen::Index k = 1; k < data.lines(); ++k) {
    if (data.frequencies_hz(k) > data.frequencies_hz(k - 1)) continue;
    throw InvalidInput({.function = function,
                        .argument = fmt::format("frequency of line {}", k + 1),
                        .rule = "must be above that of the line before",
                        .value = fmt::format("{:.6g} Hz", data.frequencies_hz(k))});
  }
  check::non_negative(function, "first frequency", data.frequencies_hz(0));
  check::all_finite(function, "real part of values", data.values.real());
  check::all_finite(function, "imaginary part of values", data.values.imag());
  if (data.line_deviation.size() > 0) {
    check::size(function, "size of line_deviation", data.line_deviation.size(), data.lines());
    check::positive(function, "smallest line deviation", data.line_deviation.minCoeff());
  }
  if (data.output_deviation.size() > 0) {
    check::size(function, "size of output_deviation", data.output_deviation.size(), data.outputs);
    check::positive(function, "smallest output deviation", data.output_deviation.minCoeff());
  }
}

FrfData frf_data(const signal::FrfResult& frf, double from_hz, double to_hz) {
  std::vector<Eigen::Index> kept;
  for (Eigen::Index k = 0; k < frf.frequencies_hz.size(); ++k) {
    const double f = frf.frequencies_hz(k);
    if (f <= 0.0 || f < from_hz || f > to_hz) continue;
    if (frf.response[static_cast<std::size_t>(k)].allFinite()) kept.push_back(k);
  }
  const auto lines = static_cast<Eigen::Index>(kept.size());
  if (lines < kFewestLines) {
    throw InvalidInput({.function = "frf_data",
                        .argument = fmt::format("the band {:.6g} to {:.6g} Hz", from_hz, to_hz),
                        .rule = fmt::format("must hold at least {} lines", kFewestLines),
                        .value = std::to_string(lines)});
  }
  FrfData data;
  data.outputs = frf.response.front().rows();
  data.inputs = frf.response.front().cols();
  data.frequencies_hz.resize(lines);
  data.values.resize(lines, data.outputs * data.inputs);
  Eigen::MatrixXd deviation = Eigen::MatrixXd::Zero(lines, data.outputs);
  for (Eigen::Index k = 0; k < lines; ++k) {
    const auto at = static_cast<std::size_t>(kept[static_cast<std::size_t>(k)]);
    data.frequencies_hz(k) = frf.frequencies_hz(static_cast<Eigen::Index>(at));
    data.values.row(k) = frf.response[at].reshaped().transpose();
    const Eigen::MatrixXd& sigma = frf.magnitude_deviation[at];
    deviation.row(k) = sigma.rowwise().squaredNorm().transpose() / static_cast<double>(data.inputs);
  }
  split_deviations(deviation.cwiseSqrt(), data);
  return data;
}

}  // namespace alembert::identify
