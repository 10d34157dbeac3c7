#include "identify/state_space/deviations.hpp"

#include <algorithm>
#include <cmath>

#include "core/median.hpp"
#include "identify/modes/projection/pole_deviation.hpp"
#include "identify/state_space/start_poles.hpp"

namespace alembert::identify::state_space {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;

constexpr double kSmall = 1e-3;  // share of a score by which a model is moved for differences
constexpr int kHalfIterations = 20;

// Scores add up to 0 where the fit has converged: one part of freedom is lost.
double part_factor(const BlockScores& scores) {
  const auto parts = static_cast<double>(scores.unknowns.cols());
  return std::sqrt(parts / (parts - 1.0));
}

ResponseModel moved_model(const ResponseProblem& problem, const ResponseFit& fit,
                          const BlockScores& scores, Index part, double share) {
  return {.poles = problem.moved(fit.poles, share * scores.unknowns.col(part)),
          .coefficients =
              fit.at.coefficients + share * scores.coefficients[static_cast<std::size_t>(part)],
          .feedthrough = problem.rules().feedthrough};
}

// sd² = Σ_b (dG in the direction of score b)², by central differences of a small share.
template <typename Evaluate>
StateSpaceResponse with_band(const ResponseProblem& problem, const ResponseFit& fit,
                             const BlockScores& scores, const Scales& scales,
                             const Evaluate& evaluate) {
  const double step = problem.samples().step;
  const auto matrices = [&](const ResponseModel& model) {
    return discrete_model(model, step, scales.input, scales.output);
  };
  StateSpaceResponse response;
  response.values = evaluate(matrices(fit.model(problem.rules().feedthrough)));
  MatrixXd real = MatrixXd::Zero(response.values.rows(), response.values.cols());
  MatrixXd imaginary = real;
  for (Index b = 0; b < scores.unknowns.cols(); ++b) {
    const MatrixXcd change = (evaluate(matrices(moved_model(problem, fit, scores, b, kSmall))) -
                              evaluate(matrices(moved_model(problem, fit, scores, b, -kSmall)))) /
                             (2.0 * kSmall);
    real += change.real().cwiseAbs2();
    imaginary += change.imag().cwiseAbs2();
  }
  response.deviations = part_factor(scores) * real.cwiseMax(imaginary).cwiseSqrt();
  return response;
}

// Frequency and damping of each pole of both halves, over the deviation of their difference.
HalfRatios half_ratios(const std::vector<StatePole>& a, const std::vector<StatePole>& b) {
  HalfRatios found;
  std::vector<double> ratios;
  const auto add = [&](double difference, double deviation, double frequency_hz) {
    const double ratio = std::abs(difference) / deviation;
    if (!std::isfinite(ratio)) return;
    ratios.push_back(ratio);
    if (ratio <= found.largest) return;
    found.largest = ratio;
    found.largest_hz = frequency_hz;
  };
  for (std::size_t r = 0; r < a.size(); ++r) {
    const double hz = 0.5 * (a[r].frequency_hz + b[r].frequency_hz);
    add(a[r].frequency_hz - b[r].frequency_hz,
        std::hypot(a[r].frequency_deviation, b[r].frequency_deviation), hz);
    add(a[r].damping_ratio - b[r].damping_ratio,
        std::hypot(a[r].damping_deviation, b[r].damping_deviation), hz);
  }
  if (!ratios.empty()) found.median = lower_median(ratios);
  return found;
}

}  // namespace

std::vector<StatePole> state_poles(const ResponseFit& fit, const BlockScores& scores, double step) {
  std::vector<StatePole> list;
  Index place = 0;
  for (const Pole& pole : fit.poles) {
    StatePole one{.z = pole.z,
                  .frequency_hz = frequency_of(pole.z, step),
                  .damping_ratio = damping_of(pole.z)};
    // λ = log(z)/step: dλ = dz/(z step).
    const std::complex<double> slope = 1.0 / (pole.z * step);
    Eigen::Matrix2d covariance = Eigen::Matrix2d::Zero();
    for (Index b = 0; b < scores.unknowns.cols(); ++b) {
      const std::complex<double> dz(scores.unknowns(place, b),
                                    pole.is_real() ? 0.0 : scores.unknowns(place + 1, b));
      const std::complex<double> change = slope * dz;
      const Eigen::Vector2d both(change.real(), change.imag());
      covariance += both * both.transpose();
    }
    covariance *= part_factor(scores) * part_factor(scores);
    const modes::PoleDeviation own = modes::pole_deviation(std::log(pole.z) / step, covariance);
    one.frequency_deviation = own.frequency_hz;
    one.damping_deviation = pole.is_real() ? 0.0 : own.damping_ratio;
    list.push_back(one);
    place += pole.states() * (pole.drive.size() + pole.start.size());
  }
  return list;
}

StateSpaceResponse frequency_band(const ResponseProblem& problem, const ResponseFit& fit,
                                  const BlockScores& scores, const Scales& scales,
                                  const Eigen::VectorXd& frequencies_hz) {
  StateSpaceResponse response = with_band(
      problem, fit, scores, scales,
      [&](const DiscreteModel& model) { return frequency_response(model, frequencies_hz); });
  response.at = frequencies_hz;
  return response;
}

StateSpaceResponse step_band(const ResponseProblem& problem, const ResponseFit& fit,
                             const BlockScores& scores, const Scales& scales, Index count,
                             Index stride) {
  StateSpaceResponse response =
      with_band(problem, fit, scores, scales, [&](const DiscreteModel& model) {
        return MatrixXcd(step_response(model, count, stride).cast<std::complex<double>>());
      });
  const double last = static_cast<double>((count - 1) * stride) * problem.samples().step;
  response.at = Eigen::VectorXd::LinSpaced(count, 0.0, last);
  return response;
}

HalfRatios disagreement_of_halves(const Samples& samples, const ResponseProblem& problem,
                                  const ResponseFit& fit, int blocks) {
  std::vector<std::vector<StatePole>> found;
  for (const double from : {0.0, 0.5}) {
    const Samples half = part_of(samples, from, from + 0.5);
    FitRules rules = problem.rules();
    rules.iterations = kHalfIterations;
    const ResponseProblem own(half, rules);
    Poles start = fit.poles;
    std::vector<std::complex<double>> poles;
    for (const Pole& pole : fit.poles) poles.push_back(pole.z);
    // Drives as they are; the states at the beginning of the half are estimated anew.
    const Poles driven = own.driven(poles);
    for (std::size_t r = 0; r < start.size(); ++r) start[r].start = driven[r].start;
    const ResponseFit refined = fit_responses(own, start);
    found.push_back(state_poles(refined, block_scores(own, refined, blocks), samples.step));
  }
  return half_ratios(found[0], found[1]);
}

}  // namespace alembert::identify::state_space
