#include "identify/refine/refiner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/algebra/decompositions.hpp"
#include "identify/refine/constrained_step.hpp"
#include "identify/refine/force_noise.hpp"
#include "identify/refine/sensitivity.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;

constexpr double kFirstLambda = 1e-3;
constexpr double kSmallestLambda = 1e-12;
// Damping of the metric in which positive matrices nearest to the optimum are sought.
constexpr double kFeasibleDamping = 1e-9;
constexpr double kWholeStep = 0.1;
constexpr double kEasier = 10.0;
constexpr double kHarder = 8.0;
constexpr int kMostRejections = 12;
// For second derivatives along a step, as a part of it; and the largest correction for them, as a
// part of it.
constexpr double kProbe = 0.1;
constexpr double kLargestBend = 0.75;
// Relative decrease of the cost below which weights are renewed.
constexpr double kSettled = 1e-3;
// A predicted relative decrease of the cost that its rounding hides.
constexpr double kHidden = 1e-14;
// Output errors relative to the outputs that a simulation cannot undercut, and those at which a
// failure to get any better is no surprise.
constexpr double kExact = 1e-13;
constexpr double kNearlyExact = 1e-10;

bool positive_definite(const Eigen::MatrixXd& matrix) {
  return matrix.allFinite() && Eigen::LLT<Eigen::MatrixXd>(matrix).info() == Eigen::Success;
}

}  // namespace

Trial evaluate(const Fit& fit, const Parametrisation& unknowns, const Eigen::VectorXd& theta,
               const Eigen::MatrixXd& start) {
  Trial trial;
  trial.theta = theta;
  trial.guess.start = start;
  const Matrices at = matrices(unknowns, theta);
  trial.guess.system = {at.M, at.D, at.K, fit.L};
  if (!positive_definite(at.M) || !at.D.allFinite() || !at.K.allFinite() || !start.allFinite()) {
    return trial;
  }
  trial.guess.jacobian = jacobian(unknowns, theta);
  trial.errors = differences(fit, predicted(fit, trial.guess.system, start));
  if (trial.errors.empty()) return trial;
  trial.squares = square_sums(trial.errors);
  trial.counted = trial.squares;
  if (fit.force_noise) {
    trial.counted -= fit.force_noise->response(trial.guess.system).squares;
    if (fit.first_noise.size() > 0) trial.counted += fit.first_noise;
  }
  trial.valid = trial.counted.allFinite();
  return trial;
}

Eigen::VectorXd inverse_deviations(const Fit& fit, const Eigen::VectorXd& squares,
                                   const Eigen::VectorXd& counts) {
  const Eigen::VectorXd outputs = output_square_sums(fit);
  Eigen::VectorXd weights(squares.size());
  for (Index i = 0; i < squares.size(); ++i) {
    const double count = std::max(1.0, counts(i));
    const double floor = 1e-2 * kExact * kExact * outputs(i);
    const double square = std::max(squares(i), floor) / count;
    weights(i) = square > 0.0 ? 1.0 / std::sqrt(square) : 1.0;
  }
  return weights;
}

Refiner::Refiner(const Fit& fit, const Parametrisation& unknowns, const RefineOptions& options,
                 Trial start)
    : fit_(fit),
      unknowns_(unknowns),
      options_(options),
      best_(std::move(start)),
      counts_(measured_counts(fit)),
      weights_(options.weights),
      lambda_(kFirstLambda) {
  if (weights_.size() == 0) {
    weights_ = inverse_deviations(fit, best_.squares, counts_);
    updates_left_ = options.weight_updates;
  }
  history_.push_back(best_.cost(weights_));
}

void Refiner::restart(Trial trial) {
  best_ = std::move(trial);
  lambda_ = kFirstLambda;
  history_.push_back(best_.cost(weights_));
}

double Refiner::rounding_cost(double relative) const {
  return relative * relative * (weights_.array().square() * output_square_sums(fit_).array()).sum();
}

// A simulation is off by δ with |w δ|² = R, the rounding cost; J(e + δ) - J(e) = 2 Σ w² e δ + R, at
// most 2 √(J R) + R by Cauchy and Schwarz. Two simulations are compared.
double Refiner::hidden_decrease(double cost) const {
  const double rounding = rounding_cost(kExact);
  return 2.0 * (2.0 * std::sqrt(cost * rounding) + rounding);
}

Trial Refiner::moved(const Eigen::VectorXd& change, const Project& project) const {
  if (!change.allFinite()) return {};
  const Index unknowns = best_.theta.size();
  Eigen::VectorXd theta = best_.theta + change.head(unknowns);
  Eigen::MatrixXd start = best_.guess.start;
  if (fit_.free_start) start += change.tail(start.size()).reshaped(start.rows(), start.cols());
  if (project) theta = project(theta);
  return evaluate(fit_, unknowns_, theta, start);
}

// e'' = (e(θ + h δ) - 2 e(θ) + e(θ - h δ))/h², the second derivative of the errors along δ, or
// nothing where a simulation fails.
std::vector<Eigen::MatrixXd> Refiner::curvature(const Eigen::VectorXd& change) const {
  std::vector<Eigen::MatrixXd> second = best_.errors;
  const Trial ahead = moved(kProbe * change, {});
  const Trial behind = moved(-kProbe * change, {});
  if (!ahead.valid || !behind.valid) return {};
  for (std::size_t e = 0; e < second.size(); ++e) {
    second[e] = (ahead.errors[e] - 2.0 * second[e] + behind.errors[e]) / (kProbe * kProbe);
  }
  return second;
}

// Precise poles and imprecise shapes make the cost a narrow curved valley, along which straight
// steps creep. (H + λ I) a = Jᵀ e'' bends the step to δ + a/2 [Transtrum2011].
Eigen::VectorXd Refiner::bent(const Eigen::VectorXd& change, const Eigen::VectorXd& scale,
                              const Eigen::LLT<Eigen::MatrixXd>& factor) const {
  const std::vector<Eigen::MatrixXd> second = curvature(scale.cwiseProduct(change));
  if (second.empty()) return change;
  const NormalEquations equations = normal_equations(fit_, best_.guess, second, weights_);
  const Eigen::VectorXd bend = 0.5 * factor.solve(scale.cwiseProduct(equations.gradient));
  return bend.norm() <= kLargestBend * change.norm() ? Eigen::VectorXd(change + bend) : change;
}

Refiner::ScaledEquations Refiner::scaled_equations() const {
  NormalEquations equations = normal_equations(fit_, best_.guess, best_.errors, weights_);
  if (fit_.force_noise) {
    const ForceNoise& noise = *fit_.force_noise;
    const auto response = noise.response(best_.guess.system);
    take_off(noise.equations(best_.guess, response, weights_), equations);
  }
  ScaledEquations scaled;
  scaled.scale = equations.H.diagonal().unaryExpr(
      [](double square) { return square > 0.0 ? 1.0 / std::sqrt(square) : 1.0; });
  scaled.H = scaled.scale.asDiagonal() * equations.H * scaled.scale.asDiagonal();
  scaled.gradient = scaled.scale.cwiseProduct(equations.gradient);
  return scaled;
}

Trial Refiner::feasible(const Project& project) const {
  ScaledEquations equations = scaled_equations();
  equations.H.diagonal().array() += kFeasibleDamping;
  const Eigen::LLT<Eigen::MatrixXd> factor(equations.H);
  if (factor.info() != Eigen::Success) return {};
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(equations.gradient.size());
  const Eigen::VectorXd change =
      constrained_step(unknowns_, best_.theta, factor, equations.scale, rest);
  return moved(equations.scale.cwiseProduct(change), project);
}

Refiner::Step Refiner::iterate(const Project& project) {
  const ScaledEquations equations = scaled_equations();
  const double cost = best_.cost(weights_);
  double promised = 0.0;  // largest decrease that a rejected step would have brought
  for (int rejections = 0; rejections <= kMostRejections; ++rejections, lambda_ *= kHarder) {
    // (H + λ I) δ = Jᵀ e, H with unit diagonal
    Eigen::MatrixXd damped = equations.H;
    damped.diagonal().array() += lambda_;
    const Eigen::LLT<Eigen::MatrixXd> factor(damped);
    if (factor.info() != Eigen::Success) continue;
    Eigen::VectorXd change = factor.solve(equations.gradient);
    if (project) {
      change = constrained_step(unknowns_, best_.theta, factor, equations.scale, change);
    }
    // 2 δᵀ Jᵀ e - δᵀ H δ, the decrease of the linearised cost
    const double expected = 2.0 * change.dot(equations.gradient) - change.dot(equations.H * change);
    if (expected <= kHidden * cost) return Step::AtRounding;
    const bool bend = curved_ && !project;
    const Eigen::VectorXd step = bend ? bent(change, equations.scale, factor) : change;
    Trial trial = moved(equations.scale.cwiseProduct(step), project);
    if (trial.valid && trial.cost(weights_) < cost) {
      best_ = std::move(trial);
      lambda_ = std::max(lambda_ / kEasier, kSmallestLambda);
      curved_ = rejections > 0 || (curved_ && lambda_ > kFirstLambda);
      return Step::Accepted;
    }
    promised = std::max(promised, expected);
  }
  const bool hidden = promised <= hidden_decrease(cost);
  return hidden || cost <= rounding_cost(kNearlyExact) ? Step::AtRounding : Step::Stuck;
}

bool Refiner::update_weights() {
  if (updates_left_ <= 0) return false;
  --updates_left_;
  weights_ = inverse_deviations(fit_, best_.squares, counts_);
  history_.push_back(best_.cost(weights_));
  return true;
}

// True if nothing is left to do.
bool Refiner::settled(Step step, double before) {
  const double cost = best_.cost(weights_);
  if (cost <= rounding_cost(kExact)) return true;
  // A step shortened by much damping lowers the cost little wherever it is.
  const bool whole_step = lambda_ <= kWholeStep;
  const double decrease = before > 0.0 && whole_step ? (before - cost) / before : 1.0;
  const bool resting = step == Step::AtRounding || decrease < kSettled;
  if (resting && update_weights()) {
    lambda_ = std::min(lambda_, kFirstLambda);
    return false;
  }
  return step == Step::AtRounding || decrease < options_.tolerance;
}

void Refiner::run(int max_iterations, const Project& project) {
  for (int i = 0; i < max_iterations; ++i) {
    if (options_.stop != nullptr && options_.stop->requested()) {
      outcome_ = {Status::Stopped, fmt::format("stopped after {} iterations", iterations_)};
      return;
    }
    const double before = best_.cost(weights_);
    const Step step = iterate(project);
    ++iterations_;
    history_.push_back(best_.cost(weights_));
    if (options_.on_progress) {
      options_.on_progress(
          static_cast<std::size_t>(iterations_),
          static_cast<std::size_t>(std::max(iterations_, options_.max_iterations)));
    }
    if (step == Step::Stuck) {
      outcome_ = {Status::NotConverged,
                  fmt::format("no step lowers the cost after {} iterations (damping {:.1e}); try "
                              "another start",
                              iterations_, lambda_)};
      return;
    }
    if (settled(step, before)) {
      outcome_ = {};
      return;
    }
  }
  outcome_ = {Status::NotConverged,
              fmt::format("the cost still fell after {} iterations; raise max_iterations or try a "
                          "better start",
                          iterations_)};
}

}  // namespace alembert::identify
