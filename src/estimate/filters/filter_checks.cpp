#include <fmt/format.h>

#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/core/chi_square.hpp"
#include "alembert/core/linear_algebra.hpp"
#include "alembert/estimate/adapt_noise.hpp"
#include "alembert/estimate/ekf.hpp"
#include "alembert/estimate/noise.hpp"
#include "alembert/estimate/step.hpp"

namespace alembert::estimate {

void check_covariance(std::string_view function, std::string_view argument,
                      const Eigen::Ref<const Eigen::MatrixXd>& covariance) {
  check::all_finite(function, argument, covariance);
  check::symmetric(function, argument, covariance, 1e-6);
  // In units of the standard deviations: states of very different size must not hide each other.
  const Eigen::Index n = covariance.rows();
  Eigen::MatrixXd correlation = covariance;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double variance = covariance(i, i);
    if (variance < 0.0) {
      throw InvalidInput({.function = std::string(function),
                          .argument = std::string(argument),
                          .rule = "must have no negative variance",
                          .value = fmt::format("{} at {}", variance, i + 1)});
    }
    const double scale = variance > 0.0 ? 1.0 / std::sqrt(variance) : 1.0;
    correlation.row(i) *= scale;
    correlation.col(i) *= scale;
  }
  // Rounding of single precision, in which the covariance may have been made.
  constexpr double kMargin = 1e-6;
  const double smallest = definiteness(correlation).smallest;
  if (smallest < -kMargin * static_cast<double>(n)) {
    throw InvalidInput({.function = std::string(function),
                        .argument = std::string(argument),
                        .rule = "must be positive semidefinite",
                        .value = fmt::format("correlations with the eigenvalue {}", smallest)});
  }
}

void check_estimate(int n, const Eigen::Ref<const Eigen::VectorXd>& mean,
                    const Eigen::Ref<const Eigen::MatrixXd>& covariance) {
  check::size("set_estimate", "mean", mean.size(), n);
  check::all_finite("set_estimate", "mean", mean);
  check::shape("set_estimate", "covariance", covariance, n, n);
  check_covariance("set_estimate", "covariance", covariance);
}

void check_options(const EkfOptions& options) {
  check::at_least("EkfOptions", "iterations", options.iterations, 1);
  check::non_negative("EkfOptions", "tolerance", options.tolerance);
}

void check_options(const AdaptOptions& options, int n) {
  check::at_least("AdaptOptions", "window", options.window, 2);
  check::positive("AdaptOptions", "floor", options.floor);
  check::in_range("AdaptOptions", "floor", options.floor, 0.0, 1.0);
  check::in_range("AdaptOptions", "ceiling", options.ceiling, 1.0,
                  std::numeric_limits<double>::infinity());
  check::non_negative("AdaptOptions", "output_trust", options.output_trust);
  for (const int state : options.states) {
    check::in_range("AdaptOptions", "states", state, 0, n - 1);
  }
}

Gate::Gate(const GateOptions& options, int outputs) : options_(options) {
  check::positive("GateOptions", "probability", options.probability);
  check::in_range("GateOptions", "probability", options.probability, 0.0, 1.0);
  if (!active()) return;
  limits_.assign(static_cast<std::size_t>(outputs) + 1, 0.0);
  for (int m = 1; m <= outputs; ++m) {
    limits_[static_cast<std::size_t>(m)] = chi_square_quantile(options.probability, m);
  }
}

}  // namespace alembert::estimate
