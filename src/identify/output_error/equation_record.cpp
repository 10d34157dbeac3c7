#include "identify/output_error/equation_record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "alembert/core/check.hpp"
#include "alembert/signal/resample.hpp"
#include "alembert/signal/spline.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// Steps of Newton's method for a periodic state, and the change that ends them, relative to the
// largest state.
constexpr int kShots = 50;
constexpr double kPeriodic = 1e-10;
// Runs before it, and what one of them must bring to be worth another.
constexpr int kRepeats = 4;
constexpr double kFastDecay = 1e-3;

// Half the points per sample of a curved input where the method chooses its steps.
constexpr Index kInputPoints = 4;

bool chooses_steps(Integrator integrator) {
  return integrator != Integrator::RungeKutta4 && integrator != Integrator::Newmark;
}

// What every simulation would find, said before any begins.
void check_integrator(const SimulationOptions& options) {
  constexpr const char* kName = "SimulationOptions";
  check::positive(kName, "newton_tolerance", options.newton_tolerance);
  check::positive(kName, "relative_tolerance", options.tolerance());
  check::positive(kName, "absolute_tolerance", options.absolute_tolerance);
  check::non_negative(kName, "largest_step", options.largest_step);
  check::at_least(kName, "max_steps", options.max_steps, 0);
  for (Index i = 0; i < options.state_scales.size(); ++i) {
    check::positive(kName, "state_scales", options.state_scales(i));
  }
  if (options.integrator == Integrator::Stiff && !integrate::has_stiff_integrator()) {
    throw InvalidInput({.function = "SimulationOptions",
                        .rule = "integrator = Stiff needs SUNDIALS (Debian: libsundials-dev), and "
                                "this program was built without it"});
  }
}

// Values at every half substep of the cubic spline through the rows.
MatrixXd cubic_half_steps(const MatrixXd& samples, double step, Index per_sample) {
  const MatrixXd slopes = step * signal::cubic_slopes(step, samples);
  const Index intervals = samples.rows() - 1;
  MatrixXd fine(intervals * per_sample + 1, samples.cols());
  for (Index k = 0; k < intervals; ++k) {
    for (Index j = 0; j < per_sample; ++j) {
      const double s = static_cast<double>(j) / static_cast<double>(per_sample);
      for (Index c = 0; c < samples.cols(); ++c) {
        const double rise = samples(k + 1, c) - samples(k, c);
        const double first = slopes(k, c);
        const double last = slopes(k + 1, c);
        fine(k * per_sample + j, c) =
            samples(k, c) +
            s * (first + s * (3.0 * rise - 2.0 * first - last + s * (first + last - 2.0 * rise)));
      }
    }
  }
  fine.row(fine.rows() - 1) = samples.row(samples.rows() - 1);
  return fine;
}

// One period and its first sample again, at every half substep.
MatrixXd periodic_half_steps(const MatrixXd& period, Index per_sample) {
  const MatrixXd fine = signal::resample_periodic(period, period.rows() * per_sample);
  MatrixXd closed(fine.rows() + 1, fine.cols());
  closed << fine, fine.row(0);
  return closed;
}

std::vector<double> row_by_row(const MatrixXd& matrix) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(matrix.size()));
  for (Index r = 0; r < matrix.rows(); ++r) {
    for (Index c = 0; c < matrix.cols(); ++c) values.push_back(matrix(r, c));
  }
  return values;
}

}  // namespace

EquationRecord::EquationRecord(const Experiment& experiment, const SimulationOptions& options)
    : experiment_(&experiment), options_(options) {
  check_integrator(options);
  if (chooses_steps(options.integrator)) {
    options_.substeps = std::max(options.substeps, kInputPoints);
  }
  const bool closed = options.start == StartState::Periodic;
  MatrixXd input(experiment.samples() + (closed ? 1 : 0), experiment.input.cols());
  input.topRows(experiment.samples()) = experiment.input;
  if (closed) input.row(input.rows() - 1) = experiment.input.row(0);
  samples_ = static_cast<std::size_t>(input.rows());
  const Index halves = 2 * options_.substeps;
  if (options.between == signal::BetweenSamples::Cubic) {
    input = cubic_half_steps(input, experiment.step, halves);
  } else if (options.between == signal::BetweenSamples::BandLimited) {
    const MatrixXd fine = periodic_half_steps(experiment.input, halves);
    input = fine.topRows(static_cast<Index>(samples_ - 1) * halves + 1);
  }
  inputs_ = row_by_row(input);
}

// Where the steps depend on the start, so does the error of the end, which hundreds of steps add
// to.
double EquationRecord::noise() const {
  return chooses_steps(options_.integrator) ? 1e4 * options_.tolerance() : 0.0;
}

integrate::RecordTask EquationRecord::task() const {
  return {.samples = samples_,
          .start_time = experiment_->start_time,
          .step = experiment_->step,
          .substeps = static_cast<std::size_t>(options_.substeps),
          .between = options_.between,
          .inputs = inputs_,
          .method = options_.integrator,
          .newton_tolerance = options_.newton_tolerance,
          .adaptive = {.relative_tolerance = options_.tolerance(),
                       .absolute_tolerance = options_.absolute_tolerance,
                       .scales = {options_.state_scales.data(),
                                  static_cast<std::size_t>(options_.state_scales.size())},
                       .largest_step = options_.largest_step,
                       .max_steps = static_cast<std::size_t>(options_.max_steps)},
          .events = options_.events};
}

EquationSimulation::EquationSimulation(const model::CompiledEquations& compiled,
                                       const std::vector<EquationRecord>& records, StartState start)
    : records_(records),
      start_(start),
      evaluator_(compiled),
      start_values_(evaluator_.start_jacobians()),
      states_(compiled.model().states().size()),
      outputs_(compiled.model().outputs().size()),
      parameters_(compiled.model().parameters().size()) {
  for (const EquationRecord& record : records) {
    if (const std::size_t given = record.task().adaptive.scales.size(); given > 0) {
      check::size("SimulationOptions", "state_scales", static_cast<long long>(given),
                  static_cast<long long>(states_));
    }
  }
  std::size_t longest = 0;
  for (const EquationRecord& record : records) longest = std::max(longest, record.samples());
  // The columns of a periodic state are those of the parameters and of the start itself.
  const std::size_t columns = parameters_ + (start == StartState::Periodic ? states_ : 0);
  for (std::size_t c = 0; c < columns; ++c) {
    columns_.push_back(c < parameters_ ? static_cast<int>(c) : -1);
  }
  x0_.resize(states_);
  start_slopes_.resize(states_ * columns);
  y_.resize(longest * outputs_);
  slopes_.resize(longest * outputs_ * columns);
  x_.resize(longest * states_);
  x_slopes_.resize(start == StartState::Periodic ? longest * states_ * columns : 0);
}

double EquationSimulation::output(std::size_t k, std::size_t i) const {
  return y_[k * outputs_ + i];
}

Eigen::Map<const Eigen::VectorXd> EquationSimulation::slope(std::size_t k, std::size_t i) const {
  return {slopes_.data() + (k * outputs_ + i) * columns_.size(), static_cast<Index>(parameters_)};
}

bool EquationSimulation::simulate(const EquationRecord& record, bool with_sensitivities) {
  const integrate::RecordTask task = record.task();
  const std::span<double> y(y_.data(), task.samples * outputs_);
  const std::span<double> x(x_.data(), task.samples * states_);
  if (!with_sensitivities) return evaluator_.simulate(task, x0_, y, x) == task.samples;
  const std::size_t columns = columns_.size();
  const integrate::RecordSensitivities sensitivities{
      .columns = columns_,
      .start = start_slopes_,
      .outputs = {slopes_.data(), task.samples * outputs_ * columns},
      .states = {x_slopes_.data(), x_slopes_.empty() ? 0 : task.samples * states_ * columns}};
  return evaluator_.simulate(task, x0_, y, x, sensitivities) == task.samples;
}

// Runs the record again from where it ended, as long as that brings the ends together fast: most
// transients are gone after one period, and no sensitivities are needed to see it. `found` if the
// last run, whose outputs are there, was periodic. False if a run fails.
bool EquationSimulation::repeat(const EquationRecord& record, bool& found) {
  const std::size_t last = record.samples() - 1;
  double last_change = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kRepeats; ++run) {
    if (!simulate(record, false)) return false;
    double change = 0.0;
    double size = 0.0;
    for (std::size_t i = 0; i < states_; ++i) {
      change = std::max(change, std::abs(x_[last * states_ + i] - x0_[i]));
      size = std::max(size, std::abs(x0_[i]));
    }
    found = change <= kPeriodic * size;
    if (found || (run > 0 && change > kFastDecay * last_change)) return true;
    for (std::size_t i = 0; i < states_; ++i) x0_[i] = x_[last * states_ + i];
    last_change = change;
  }
  return true;
}

// Newton's method on x(T; x0) = x0:  (I - Φ) δ = x(T) - x0  with  Φ = ∂x(T)/∂x0; and then
// ∂x0/∂θ = (I - Φ)⁻¹ ∂x(T)/∂θ at a fixed start.
bool EquationSimulation::settle(const EquationRecord& record, bool with_sensitivities) {
  const auto n = static_cast<Index>(states_);
  const auto p = static_cast<Index>(parameters_);
  const auto columns = static_cast<Index>(columns_.size());
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<RowMajor> slopes(start_slopes_.data(), n, columns);
  const std::size_t last = record.samples() - 1;
  double last_change = std::numeric_limits<double>::infinity();
  for (int shot = 0; shot < kShots; ++shot) {
    slopes.setZero();
    slopes.rightCols(n).setIdentity();
    if (!simulate(record, true)) return false;
    const Eigen::Map<const RowMajor> end(x_slopes_.data() + last * states_ * columns_.size(), n,
                                         columns);
    const MatrixXd closing = MatrixXd::Identity(n, n) - end.rightCols(n);
    MatrixXd right(n, 1 + p);
    double size = 0.0;
    for (Index i = 0; i < n; ++i) {
      right(i, 0) =
          x_[last * states_ + static_cast<std::size_t>(i)] - x0_[static_cast<std::size_t>(i)];
      size = std::max(size, std::abs(x0_[static_cast<std::size_t>(i)]));
    }
    right.rightCols(p) = end.leftCols(p);
    const MatrixXd solution = dense::solve(closing, right);
    if (!solution.allFinite()) return false;
    double change = 0.0;
    for (Index i = 0; i < n; ++i) {
      x0_[static_cast<std::size_t>(i)] += solution(i, 0);
      change = std::max(change, std::abs(solution(i, 0)));
    }
    const bool stalled = change > 0.3 * last_change && change <= record.noise() * size;
    last_change = change;
    if (change > kPeriodic * size && !stalled) continue;
    if (!with_sensitivities) return true;
    slopes.setZero();
    slopes.leftCols(p) = solution.rightCols(p);
    return true;
  }
  return false;
}

bool EquationSimulation::run(std::size_t e, const Eigen::VectorXd& theta, bool with_sensitivities) {
  evaluator_.set_parameters({theta.data(), static_cast<std::size_t>(theta.size())});
  evaluator_.start(start_values_);
  x0_ = start_values_.values;
  for (std::size_t i = 0; i < states_; ++i) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      start_slopes_[i * columns_.size() + c] =
          c < parameters_ ? start_values_.by_parameter[c * states_ + i] : 0.0;
    }
  }
  const EquationRecord& record = records_[e];
  if (start_ == StartState::Periodic) {
    bool found = false;
    if (!repeat(record, found)) return false;
    if (found && !with_sensitivities) return true;
    if (!settle(record, with_sensitivities)) return false;
  }
  return simulate(record, with_sensitivities);
}

}  // namespace alembert::identify
