#include <algorithm>
#include <cmath>

#include "core/algebra/decompositions.hpp"
#include "identify/output_error/simulation/equation_simulation.hpp"
#include "identify/output_error/state_reader.hpp"

// The part of a simulation that finds free start states: for any parameters each record has the
// start that fits it best, so that the parameters alone are searched. The work is that of one
// record after the other, whatever their number.

namespace alembert::identify {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Samples that are smoothed for the first guess.
constexpr Index kSmoothed = 400;
// The first fit is that of an eighth of the record, then of half of it: over a whole record the
// best start for poor parameters may lie behind many others.
constexpr std::size_t kFirstPart = 8, kSecondPart = 2;
constexpr std::size_t kLeastSamples = 16;
constexpr int kRoughSteps = 10, kExactSteps = 50, kMendingSteps = 3;
// A step that gains less than this part of the cost is the last.
constexpr double kRoughGain = 1e-3, kExactGain = 1e-12;
// A start that was carried along is fitted anew where the cost of its record is this part higher.
constexpr double kWorse = 1e-3;
constexpr double kFirstStartDamping = 1e-3, kMostStartDamping = 1e8;
// Directions of the start that change the outputs by less than this part of others are not seen.
constexpr double kUnseen = 1e-13;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The lengths of the columns of a Gauss-Newton matrix; 1 for one that is zero.
VectorXd lengths_of(const MatrixXd& A) {
  VectorXd lengths = A.diagonal().cwiseSqrt();
  for (double& length : lengths) length = length > 0.0 ? length : 1.0;
  return lengths;
}

bool is_seen(const MatrixXd& A) {
  if (!A.allFinite()) return false;
  const VectorXd unit = lengths_of(A).cwiseInverse();
  const MatrixXd scaled = unit.asDiagonal() * A * unit.asDiagonal();
  const VectorXd values =
      Eigen::SelfAdjointEigenSolver<MatrixXd>(scaled, Eigen::EigenvaluesOnly).eigenvalues();
  return values.minCoeff() > kUnseen * values.maxCoeff();
}

// The pseudo-inverse of A with columns of unit length, as a matrix for A itself.
MatrixXd inverse_of(const MatrixXd& A) {
  const VectorXd unit = lengths_of(A).cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(unit.asDiagonal() * A * unit.asDiagonal());
  VectorXd values = solver.eigenvalues();
  const double floor = kUnseen * values.maxCoeff();
  for (double& value : values) value = value > floor ? 1.0 / value : 0.0;
  const MatrixXd vectors = unit.asDiagonal() * solver.eigenvectors();
  return vectors * values.asDiagonal() * vectors.transpose();
}

// The state that the first samples show, as far as they do.
void correct_by_data(const model::CompiledEquations& compiled, const VectorXd& theta,
                     const Experiment& experiment, VectorXd& state) {
  const Index samples = std::min(experiment.samples(), kSmoothed);
  const Experiment beginning{.input = experiment.input.topRows(samples),
                             .output = experiment.output.topRows(samples),
                             .step = experiment.step};
  SmoothOutputs smooth = smooth_outputs(beginning);
  for (Index i = 0; i < smooth.value.cols(); ++i) {  // too few samples to be smoothed
    if (std::isnan(smooth.value(0, i))) smooth.value(0, i) = beginning.output(0, i);
  }
  StateReader(compiled, theta).correct(smooth, 0, state.data());
}

}  // namespace

// Simulates with the derivatives by the start alone, which take the place of all slopes.
bool EquationSimulation::simulate_by_start(const integrate::RecordTask& task) {
  const integrate::RecordSensitivities sensitivities{
      .columns = start_columns_,
      .start = unit_,
      .outputs = {slopes_.data(), task.samples * outputs_ * states_},
      .states = {}};
  return evaluator_.simulate(task, x0_, {y_.data(), task.samples * outputs_},
                             {x_.data(), task.samples * states_}, sensitivities) == task.samples;
}

double EquationSimulation::weight_of(std::size_t e, std::size_t k, std::size_t i) const {
  const auto output = static_cast<Index>(i);
  return weights_(output) * records_[e].experiment().weight_of(static_cast<Index>(k), output);
}

double EquationSimulation::misfit(std::size_t e, std::size_t samples) const {
  const MatrixXd& measured = records_[e].experiment().output;
  double sum = 0.0;
  for (std::size_t k = 0; k < samples; ++k) {
    for (std::size_t i = 0; i < outputs_; ++i) {
      const double y = measured(static_cast<Index>(k), static_cast<Index>(i));
      if (std::isnan(y)) continue;
      const double residual = weight_of(e, k, i) * (y - y_[k * outputs_ + i]);
      sum += residual * residual;
    }
  }
  return sum;
}

// A = SᵀS and g = Sᵀr with S = ∂r/∂x(0), after simulate_by_start(); returns rᵀr.
double EquationSimulation::start_sums(std::size_t e, std::size_t samples, MatrixXd& A,
                                      VectorXd& g) const {
  const MatrixXd& measured = records_[e].experiment().output;
  const auto n = static_cast<Index>(states_);
  A.setZero(n, n);
  g.setZero(n);
  double sum = 0.0;
  for (std::size_t k = 0; k < samples; ++k) {
    for (std::size_t i = 0; i < outputs_; ++i) {
      const double y = measured(static_cast<Index>(k), static_cast<Index>(i));
      if (std::isnan(y)) continue;
      const double weight = weight_of(e, k, i);
      const std::size_t at = k * outputs_ + i;
      const double residual = weight * (y - y_[at]);
      const Eigen::Map<const VectorXd> slope(&slopes_[at * states_], n);
      sum += residual * residual;
      g -= (weight * residual) * slope;
      for (Index c = 0; c < n; ++c) A.col(c) += (weight * weight * slope(c)) * slope;
    }
  }
  return sum;
}

// Levenberg-Marquardt over the start alone, from x0_ over the first samples of a record. Leaves
// the best start in x0_ and its outputs in y_; false if x0_ itself cannot be simulated.
bool EquationSimulation::fit_start(std::size_t e, std::size_t samples, int steps,
                                   double tolerance) {
  const integrate::RecordTask task = records_[e].part(0, samples);
  MatrixXd A;
  VectorXd g;
  double damping = kFirstStartDamping;
  for (int step = 0; step < steps; ++step) {
    if (!simulate_by_start(task)) return false;
    const double cost = start_sums(e, samples, A, g);
    if (!std::isfinite(cost)) return false;
    if (tolerance <= kExactGain) free_[e].seen = is_seen(A);
    const VectorXd lengths = lengths_of(A);
    const std::vector<double> before = x0_;
    bool better = false;
    bool moved = false;
    double gain = 0.0, predicted = 0.0;
    for (; !better && damping <= kMostStartDamping; damping *= better ? 0.1 : 10.0) {
      MatrixXd damped = A;
      damped.diagonal() += damping * lengths.cwiseAbs2();
      const VectorXd move = -damped.ldlt().solve(g);
      predicted = -(2.0 * g.dot(move) + move.dot(A * move));
      if (!(predicted > tolerance * cost)) break;
      for (std::size_t j = 0; j < states_; ++j) x0_[j] = before[j] + move(static_cast<Index>(j));
      moved = true;
      gain = simulate(task, false) ? cost - misfit(e, samples) : -1.0;
      better = gain > 0.0;
    }
    if (!better) {
      x0_ = before;
      return !moved || simulate(task, false);
    }
    if (gain <= tolerance * cost) return true;
  }
  return simulate(task, false);
}

void EquationSimulation::guess_starts(const MatrixXd& starts) {
  for (std::size_t e = 0; e < free_.size(); ++e) {
    free_[e].guess = starts.col(static_cast<Index>(e));
  }
}

// The first start of a record: what was given or the data show, fitted to more and more of it.
bool EquationSimulation::begin_free(std::size_t e, const VectorXd& theta) {
  const EquationRecord& record = records_[e];
  VectorXd state = start_of(record, evaluator_, static_cast<Index>(states_));
  const VectorXd& found = free_[e].guess;
  const VectorXd& given = found.size() > 0 ? found : record.given_start();
  if (found.size() > 0) state = found;
  const bool guessed = given.size() > 0 && !given.array().isNaN().any();
  if (!guessed) correct_by_data(compiled_, theta, record.experiment(), state);
  x0_.assign(state.begin(), state.end());
  const std::size_t samples = record.samples();
  if (!guessed) {
    for (const std::size_t part : {kFirstPart, kSecondPart}) {
      const std::size_t some = std::max(samples / part, std::min(samples, kLeastSamples));
      const std::vector<double> before = x0_;
      if (!fit_start(e, some, kRoughSteps, kRoughGain)) x0_ = before;
    }
  }
  return fit_start(e, samples, kRoughSteps, kRoughGain);
}

// x(0) = x(0)_k + δ + ∂x(0)/∂θ (θ - θ_k) from the last run k with sensitivities.
void EquationSimulation::carry(const FreeStart& known, const VectorXd& theta) {
  const VectorXd state = known.state + known.step + known.by_parameter * (theta - known.theta);
  x0_.assign(state.begin(), state.end());
}

// Simulates from a start that was carried along. Where that raises the cost of the record, because
// the step to the best start was too long or the parameters went far, the start is fitted.
bool EquationSimulation::run_carried(std::size_t e, const VectorXd& theta) {
  const FreeStart& known = free_[e];
  const integrate::RecordTask task = records_[e].task();
  const auto cost = [&] { return simulate(task, false) ? misfit(e, task.samples) : HUGE_VAL; };
  const double carried = cost();
  if (carried <= (1.0 + kWorse) * known.cost) return true;
  const std::vector<double> first = x0_;
  const VectorXd moved = known.state + known.by_parameter * (theta - known.theta);
  x0_.assign(moved.begin(), moved.end());
  if (!(cost() < carried)) x0_ = first;
  if (fit_start(e, task.samples, kMendingSteps, kRoughGain)) return true;
  x0_.assign(known.state.begin(), known.state.end());
  return fit_start(e, task.samples, kMendingSteps, kRoughGain);
}

bool EquationSimulation::run_free(std::size_t e, const VectorXd& theta, bool with_sensitivities) {
  FreeStart& known = free_[e];
  const std::size_t samples = records_[e].samples();
  const bool again = known.last_theta.size() > 0 && known.last_theta == theta;
  if (again) {
    x0_ = known.last_state;
  } else if (known.known) {
    carry(known, theta);
  } else if (!begin_free(e, theta)) {
    return false;
  }
  if (fit_ == StartFit::Exact) {
    if (!fit_start(e, samples, kExactSteps, kExactGain)) return false;
  } else if (known.known && !again && !with_sensitivities) {
    if (!run_carried(e, theta)) return false;
  } else if (!with_sensitivities && !simulate(records_[e].task(), false)) {
    return false;
  }
  known.last_theta = theta;
  known.last_state = x0_;
  if (!with_sensitivities) return true;
  std::fill(start_slopes_.begin(), start_slopes_.end(), 0.0);
  for (std::size_t j = 0; j < states_; ++j) {
    start_slopes_[j * columns_.size() + parameters_ + j] = 1.0;
  }
  if (!simulate(records_[e].task(), true)) return false;
  eliminate(e, theta);
  return true;
}

// With J = ∂y/∂θ, S = ∂y/∂x(0) and residuals r the best start moves by
//   ∂x(0)/∂θ = -(SᵀS)⁻¹SᵀJ,   δ = (SᵀS)⁻¹Sᵀr,
// and the outputs by J + S ∂x(0)/∂θ, which takes the place of J.
void EquationSimulation::eliminate(std::size_t e, const VectorXd& theta) {
  const MatrixXd& measured = records_[e].experiment().output;
  const auto n = static_cast<Index>(states_);
  const auto p = static_cast<Index>(parameters_);
  MatrixXd A = MatrixXd::Zero(n, n), B = MatrixXd::Zero(n, p);
  VectorXd g = VectorXd::Zero(n);
  double cost = 0.0;
  for (Index k = 0; k < measured.rows(); ++k) {
    for (Index i = 0; i < measured.cols(); ++i) {
      if (std::isnan(measured(k, i))) continue;
      const auto sample = static_cast<std::size_t>(k);
      const auto output = static_cast<std::size_t>(i);
      const double weight = weight_of(e, sample, output);
      const double residual = weight * (measured(k, i) - y_[sample * outputs_ + output]);
      const Eigen::Map<const VectorXd> by_start = start_slope(sample, output);
      const Eigen::Map<const VectorXd> by_parameter = slope(sample, output);
      const double square = weight * weight;
      cost += residual * residual;
      g += (weight * residual) * by_start;
      for (Index c = 0; c < n; ++c) A.col(c) += (square * by_start(c)) * by_start;
      for (Index c = 0; c < p; ++c) B.col(c) += (square * by_parameter(c)) * by_start;
    }
  }
  const MatrixXd inverse = inverse_of(A);
  FreeStart& known = free_[e];
  known.state = Eigen::Map<const VectorXd>(x0_.data(), n);
  known.theta = theta;
  known.step = inverse * g;
  known.by_parameter = -inverse * B;
  known.cost = cost;
  known.known = true;
  const std::size_t rows = records_[e].samples() * outputs_;
  for (std::size_t row = 0; row < rows; ++row) {
    double* at = &slopes_[row * columns_.size()];
    const Eigen::Map<const VectorXd> by_start(at + parameters_, n);
    Eigen::Map<VectorXd>(at, p) += known.by_parameter.transpose() * by_start;
  }
}

}  // namespace alembert::identify
