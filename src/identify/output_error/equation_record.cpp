#include "identify/output_error/equation_record.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/signal/resample.hpp"
#include "alembert/signal/spline.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

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

EquationRecord::EquationRecord(const Experiment& experiment, const SimulationOptions& options,
                               Index place)
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
  first_inputs_ = row_by_row(experiment.input.topRows(1));
  if (options.start_values.size() > 0) given_start_ = options.start_values.col(place);
  options_.start_values.resize(0, 0);
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

// Where the inputs are given at half steps, each sample has as many rows.
integrate::RecordTask EquationRecord::part(std::size_t first, std::size_t count) const {
  integrate::RecordTask part = task();
  const bool half_steps = integrate::has_half_steps(part.between);
  const std::size_t rows_per_sample = half_steps ? 2 * part.substeps : 1;
  const std::size_t rows = half_steps ? rows_per_sample * (samples_ - 1) + 1 : samples_;
  const std::size_t inputs = part.inputs.size() / rows;
  part.samples = std::min(count, samples_ - first);
  part.start_time += static_cast<double>(first) * part.step;
  const std::size_t used = half_steps ? rows_per_sample * (part.samples - 1) + 1 : part.samples;
  part.inputs = part.inputs.subspan(first * rows_per_sample * inputs, used * inputs);
  return part;
}

std::vector<EquationRecord> records_of(const Experiments& data, const SimulationOptions& options) {
  std::vector<EquationRecord> records;
  records.reserve(data.size());
  for (const Experiment& experiment : data) {
    records.emplace_back(experiment, options, static_cast<Index>(records.size()));
  }
  return records;
}

void start_of(const EquationRecord& record, model::EquationEvaluator& evaluator,
              model::EquationJacobians& start) {
  evaluator.start(start, record.first_inputs());
  const std::size_t states = start.values.size();
  const Eigen::VectorXd& given = record.given_start();
  for (Index j = 0; j < given.size(); ++j) {
    if (std::isnan(given(j))) continue;
    const auto row = static_cast<std::size_t>(j);
    start.values[row] = given(j);
    for (std::size_t at = row; at < start.by_parameter.size(); at += states) {
      start.by_parameter[at] = 0.0;
    }
  }
}

Eigen::VectorXd start_of(const EquationRecord& record, model::EquationEvaluator& evaluator,
                         Index states) {
  Eigen::VectorXd x(states);
  evaluator.start({x.data(), static_cast<std::size_t>(states)}, record.first_inputs());
  const Eigen::VectorXd& given = record.given_start();
  for (Index j = 0; j < given.size(); ++j) {
    if (!std::isnan(given(j))) x(j) = given(j);
  }
  return x;
}

}  // namespace alembert::identify
