#include "identify/refine/force_noise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/algebra/dense.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// c(k) is replaced by so many stairs of even length. The response of a system whose motion dies out
// within a tenth of the record lies on the first ones; for others the error is that of a sum by
// the trapezoidal rule.
constexpr Index kStairs = 8;
// The impulse stands where the interpolation of forces does not feel the start of the record.
constexpr Index kBefore = 4;

// c(k) = Σ_experiments max(0, N - k)
double remaining(const Experiments& data, Index k) {
  double count = 0.0;
  for (const Experiment& one : data) {
    count += static_cast<double>(std::max(Index{0}, one.samples() - k));
  }
  return count;
}

Experiment impulse(Index length, Index force, double size, const Experiment& like) {
  const Index rows = kBefore + std::max(length, kBefore);
  Experiment result{.input = MatrixXd::Zero(rows, like.input.cols()),
                    .output = MatrixXd::Zero(rows, like.output.cols()),
                    .step = like.step};
  result.input(kBefore, force) = size;
  return result;
}

// Σ over the stairs q of (c(k_q) - c(k_q+1)) Σ_{k < middle of the stair} g(k)² is Σ c(k) g(k)².
Experiments impulses_of(const Experiments& data, const VectorXd& deviations) {
  Index longest = 0;
  for (const Experiment& one : data) longest = std::max(longest, one.samples());
  Experiments result;
  for (Index q = 0; q < kStairs; ++q) {
    const double weight =
        remaining(data, q * longest / kStairs) - remaining(data, (q + 1) * longest / kStairs);
    const Index length = (2 * q + 1) * longest / (2 * kStairs);
    for (Index j = 0; j < deviations.size(); ++j) {
      if (deviations(j) == 0.0 || weight == 0.0) continue;
      result.push_back(impulse(length, j, std::sqrt(weight) * deviations(j), data.front()));
    }
  }
  return result;
}

RefineOptions at_rest(RefineOptions options) {
  options.free_start = false;
  return options;
}

}  // namespace

ForceNoise::ForceNoise(const Fit& fit, const VectorXd& deviations, const RefineOptions& options)
    : impulses_(impulses_of(fit.data, deviations)),
      fit_("refine", impulses_, fit.L, fit.outputs, at_rest(options)),
      deviations_(deviations),
      present_(measured_counts(fit) / remaining(fit.data, 0)) {}

ForceNoise::Response ForceNoise::response(const model::SecondOrder& system) const {
  const MatrixXd rest =
      MatrixXd::Zero(2 * fit_.coordinates(), static_cast<Index>(impulses_.size()));
  Response result;
  result.errors = differences(fit_, predicted(fit_, system, rest));
  if (result.errors.empty()) {
    result.squares =
        VectorXd::Constant(fit_.output_count(), std::numeric_limits<double>::quiet_NaN());
    return result;
  }
  result.squares = present_.cwiseProduct(square_sums(result.errors));
  return result;
}

NormalEquations ForceNoise::equations(const Guess& guess, const Response& response,
                                      const VectorXd& weights) const {
  Guess impulsive = guess;
  impulsive.start = MatrixXd::Zero(guess.start.rows(), static_cast<Index>(impulses_.size()));
  const VectorXd shared = weights.cwiseProduct(present_.cwiseSqrt());
  return normal_equations(fit_, impulsive, response.errors, shared);
}

void take_off(const NormalEquations& noise, NormalEquations& equations) {
  const Index size = noise.gradient.size();
  equations.H.topLeftCorner(size, size) -= noise.H;
  equations.gradient.head(size) -= noise.gradient;
}

MatrixXd without_noise(const MatrixXd& C, const MatrixXd& H) {
  MatrixXd rest = MatrixXd::Identity(C.rows(), C.cols());
  rest.leftCols(H.cols()) -= C.leftCols(H.rows()) * H;
  return dense::inverse(rest);
}

}  // namespace alembert::identify
