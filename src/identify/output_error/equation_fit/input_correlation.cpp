#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/chi_square.hpp"
#include "alembert/identify/equation_fit.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;

// Sums over the pairs of one lag.
struct PairSums {
  double product = 0.0, residual = 0.0, input = 0.0, count = 0.0;

  [[nodiscard]] double correlation() const {
    const double size = std::sqrt(residual * input);
    return size > 0.0 ? product / size : 0.0;
  }
};

void add_pairs(const Eigen::Ref<const Eigen::VectorXd>& residual,
               const Eigen::Ref<const Eigen::VectorXd>& input, Index lag, PairSums& sums) {
  const double mean = input.mean();
  for (Index t = lag; t < residual.size(); ++t) {
    const double e = residual(t);
    if (std::isnan(e)) continue;
    const double u = input(t - lag) - mean;
    sums.product += e * u;
    sums.residual += e * e;
    sums.input += u * u;
    sums.count += 1.0;
  }
}

InputCorrelation correlation_of(const Experiments& data,
                                const std::vector<Eigen::MatrixXd>& residuals, Index output,
                                Index input, Index lags) {
  InputCorrelation found{.output = static_cast<std::size_t>(output),
                         .input = static_cast<std::size_t>(input),
                         .values = Eigen::VectorXd::Zero(lags + 1)};
  double largest = 0.0;
  for (Index lag = 0; lag <= lags; ++lag) {
    PairSums sums;
    for (std::size_t e = 0; e < data.size(); ++e) {
      add_pairs(residuals[e].col(output), data[e].input.col(input), lag, sums);
    }
    found.values(lag) = sums.correlation();
    const double square = sums.count * found.values(lag) * found.values(lag);
    if (square <= largest) continue;
    largest = square;
    found.lag = lag;
  }
  const double alone = largest > 0.0 ? 1.0 - chi_square_probability(largest, 1.0) : 1.0;
  found.p_value = std::min(1.0, alone * static_cast<double>(lags + 1));
  return found;
}

}  // namespace

std::vector<InputCorrelation> input_correlations(const Experiments& data,
                                                 const std::vector<Eigen::MatrixXd>& residuals,
                                                 Index lags) {
  check::at_least("input_correlations", "number of experiments",
                  static_cast<long long>(data.size()), 1);
  check::size("input_correlations", "residuals", static_cast<long long>(residuals.size()),
              static_cast<long long>(data.size()));
  check::at_least("input_correlations", "lags", lags, 0);
  for (std::size_t e = 0; e < data.size(); ++e) {
    check::at_least("input_correlations", "rows of inputs", data[e].input.rows(),
                    residuals[e].rows());
    check::at_least("input_correlations", "columns of residuals", residuals[e].cols(),
                    data.front().output.cols());
    check::at_least("input_correlations", "columns of inputs", data[e].input.cols(),
                    data.front().input.cols());
  }
  std::vector<InputCorrelation> list;
  for (Index output = 0; output < data.front().output.cols(); ++output) {
    for (Index input = 0; input < data.front().input.cols(); ++input) {
      list.push_back(correlation_of(data, residuals, output, input, lags));
    }
  }
  return list;
}

}  // namespace alembert::identify
