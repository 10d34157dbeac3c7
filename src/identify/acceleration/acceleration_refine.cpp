#include "alembert/identify/acceleration_refine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "identify/acceleration/sensed_model.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr const char* kRefine = "refine_equation";
// The search begins with so many cycles, and goes on with four times as many until all are in.
constexpr double kFirstCycles = 10.0;
constexpr double kStepsPerCycle = 100.0;
// Searches with samples beside jumps taken out anew.
constexpr int kRounds = 4;

Experiments data_of(const EquationOfMotion& equation, const AccelerationRecord& record,
                    Index samples) {
  const auto inputs = static_cast<Index>(equation.setup.inputs.size());
  Experiment experiment;
  experiment.step = record.step;
  experiment.start_time = record.start_time;
  experiment.output = record.acceleration.head(samples);
  experiment.input = MatrixXd::Zero(samples, inputs);
  if (inputs > 0) experiment.input = record.forcing.topRows(samples);
  return {experiment};
}

const optimize::Parameter* entry_of(const std::vector<optimize::Parameter>& entries,
                                    const std::string& name) {
  for (const optimize::Parameter& entry : entries) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

// Sizes that a change of x0 and v0 is measured by.
struct Sizes {
  double acceleration = 0.0;
  double omega = 1.0;
};

Sizes sizes_of(const AccelerationRecord& record, double cycle) {
  Sizes sizes;
  sizes.acceleration = std::max(record.acceleration.cwiseAbs().maxCoeff(), 1e-300);
  sizes.omega = 2.0 * std::acos(-1.0) / cycle;
  return sizes;
}

std::vector<optimize::Parameter> unknowns_of(const SensedModel& model, const FitGuess& start,
                                             bool with_offset, const Sizes& sizes,
                                             const EquationRefineOptions& options) {
  std::vector<optimize::Parameter> unknowns;
  const auto count = static_cast<std::size_t>(start.parameters.size());
  for (std::size_t j = 0; j < count; ++j) {
    optimize::Parameter entry;
    const optimize::Parameter* given = entry_of(options.parameters, model.names[j]);
    if (given != nullptr) entry = *given;
    entry.name = model.names[j];
    if (!entry.fixed) {
      entry.guess = std::clamp(start.parameters(static_cast<Index>(j)), entry.lower, entry.upper);
    }
    if (entry.scale == 0.0 && entry.guess == 0.0) entry.scale = 1.0;
    unknowns.push_back(entry);
  }
  const double velocity = sizes.acceleration / sizes.omega;
  unknowns.push_back(
      {.name = model.names[count], .guess = start.x0, .scale = velocity / sizes.omega});
  unknowns.push_back({.name = model.names[count + 1], .guess = start.v0, .scale = velocity});
  unknowns.push_back({.name = model.names[count + 2],
                      .guess = with_offset ? start.offset : 0.0,
                      .scale = sizes.acceleration,
                      .fixed = !with_offset});
  return unknowns;
}

SimulationOptions simulation_of(const EquationOfMotion& equation, const AccelerationRecord& record,
                                double cycle, const Sizes& sizes,
                                const EquationRefineOptions& options) {
  SimulationOptions simulation;
  simulation.between = signal::BetweenSamples::Linear;
  const double wanted = std::ceil(kStepsPerCycle * record.step / cycle);
  simulation.substeps =
      options.substeps > 0 ? options.substeps : std::max<Index>(1, static_cast<Index>(wanted));
  const bool events = options.simulation == RefineSimulation::Events ||
                      (options.simulation == RefineSimulation::Automatic && has_jumps(equation));
  if (events) {
    simulation.integrator = Integrator::DormandPrince;
    simulation.events = true;
    // The cost must be smooth to a hundredth of the variance of the noise.
    simulation.relative_tolerance = 1e-9;
    simulation.absolute_tolerance = 1e-10;
    simulation.max_steps = static_cast<Index>(step_limit(record.samples()));
    const double velocity = sizes.acceleration / sizes.omega;
    simulation.state_scales = VectorXd::Zero(2);
    const model::SecondOrderPair pair = equation.model.second_order().front();
    simulation.state_scales(static_cast<Index>(pair.position)) = velocity / sizes.omega;
    simulation.state_scales(static_cast<Index>(pair.velocity)) = velocity;
  }
  return simulation;
}

// Deviation of a parameter; 0 if it was not fitted.
double deviation_of(const OutputErrorResult& search, const std::string& name) {
  const optimize::EstimateStatistics& statistics = search.trusted();
  for (std::size_t k = 0; k < statistics.names.size(); ++k) {
    if (statistics.names[k] == name && statistics.deviations.size() > 0) {
      return statistics.deviations(static_cast<Index>(k));
    }
  }
  return 0.0;
}

void take_covariance(const OutputErrorResult& search, RefinedEquation& refined) {
  const auto count = static_cast<Index>(refined.names.size());
  refined.covariance = MatrixXd::Zero(count, count);
  const optimize::EstimateStatistics& statistics = search.trusted();
  const std::vector<std::string>& names = statistics.names;
  const auto place = [&refined](const std::string& name) {
    const auto found = std::find(refined.names.begin(), refined.names.end(), name);
    return found == refined.names.end() ? -1 : found - refined.names.begin();
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (place(names[i]) >= 0 && place(names[j]) >= 0 && statistics.covariance.size() > 0) {
        refined.covariance(place(names[i]), place(names[j])) =
            statistics.covariance(static_cast<Index>(i), static_cast<Index>(j));
      }
    }
  }
}

void take_result(const SensedModel& model, RefinedEquation& refined) {
  const OutputErrorResult& search = refined.search;
  refined.status = search.status;
  refined.message = search.message;
  const auto count = static_cast<Index>(refined.names.size());
  refined.parameters = search.parameters.head(count);
  refined.deviations.resize(count);
  for (Index j = 0; j < count; ++j) {
    refined.deviations(j) = deviation_of(search, refined.names[static_cast<std::size_t>(j)]);
  }
  take_covariance(search, refined);
  const auto k = static_cast<std::size_t>(count);
  refined.x0 = search.parameters(count);
  refined.v0 = search.parameters(count + 1);
  refined.offset = search.parameters(count + 2);
  refined.x0_deviation = deviation_of(search, model.names[k]);
  refined.v0_deviation = deviation_of(search, model.names[k + 1]);
  refined.offset_deviation = deviation_of(search, model.names[k + 2]);
  refined.correlated = search.trusted().correlated;
  const auto samples = static_cast<double>(refined.samples);
  const auto p = static_cast<double>(refined.unknowns);
  refined.residual = std::sqrt(search.cost / samples);
  // Information criteria of normal residuals of unknown variance, of which so many are independent.
  const double n =
      search.coloured.effective_samples > 0.0 ? search.coloured.effective_samples : samples;
  const double fit = n * std::log(std::max(search.cost / samples, 1e-300));
  refined.aic = fit + 2.0 * p;
  refined.bic = fit + p * std::log(n);
}

void check_start(const EquationOfMotion& equation, const AccelerationRecord& record,
                 const FitGuess& start, const EquationRefineOptions& options) {
  check::positive(kRefine, "step", record.step);
  check::at_least(kRefine, "samples", record.samples(), 8);
  check::size(kRefine, "start.parameters", start.parameters.size(),
              static_cast<long long>(equation.parameters().size()));
  check::all_finite(kRefine, "start.parameters", start.parameters);
  check::positive(kRefine, "part", options.part);
  check::in_range(kRefine, "part", options.part, 0.0, 1.0);
  const auto inputs = static_cast<Index>(equation.setup.inputs.size());
  if (inputs > 0) check::shape(kRefine, "forcing", record.forcing, record.samples(), inputs);
  for (const optimize::Parameter& entry : options.parameters) {
    const std::vector<std::string>& names = equation.parameters();
    if (std::find(names.begin(), names.end(), entry.name) == names.end()) {
      throw InvalidInput({.function = std::string(kRefine),
                          .argument = "parameters",
                          .rule = "must be those of the equation",
                          .value = entry.name});
    }
  }
}

// The motion of a window at the first sample of the record.
FitGuess carried_back(const IntegratedSignals& signals, const WindowFit& window) {
  FitGuess start;
  start.offset = window.offset;
  const auto k = static_cast<std::size_t>(window.first);
  const double t = static_cast<double>(window.first) * signals.step;
  const bool knows_v = signals.velocity_measured;
  const double back = signals.V[0] - signals.V[k];
  start.v0 = knows_v ? signals.V[0] : window.v0 + back + window.offset * t;
  const double gone = knows_v ? 0.0 : t * (window.v0 - signals.V[k]) + 0.5 * window.offset * t * t;
  start.x0 =
      signals.displacement_measured ? signals.X[0] : window.x0 + signals.X[0] - signals.X[k] - gone;
  return start;
}

// Sum of squares of A - Â over the first cycles; infinite where the motion cannot be simulated.
double misfit(const EquationOfMotion& equation, const AccelerationRecord& record,
              const FitGuess& start, double cycle) {
  const double wanted = kFirstCycles * cycle / record.step;
  const Index samples = wanted < static_cast<double>(record.samples()) ? static_cast<Index>(wanted)
                                                                       : record.samples();
  const MatrixXd forcing =
      record.forcing.size() > 0 ? record.forcing.topRows(samples).eval() : MatrixXd();
  const SimulatedMotion motion = simulate_motion(equation, start.parameters, start.x0, start.v0,
                                                 record.step, samples, forcing, record.start_time);
  if (!motion.ok()) return std::numeric_limits<double>::infinity();
  double sum = 0.0;
  for (Index k = 0; k < samples; ++k) {
    const double left = record.acceleration(k) - start.offset - motion.acceleration(k);
    sum += left * left;
  }
  return sum;
}

// Searches over a growing part of the record.
class MotionRefiner {
 public:
  MotionRefiner(const EquationOfMotion& equation, const AccelerationRecord& record,
                const FitGuess& start, bool with_offset, const EquationRefineOptions& options)
      : equation_(equation),
        record_(record),
        model_(sensed_model(equation)),
        compiled_(model_.model, {.kind = options.engine}),
        jumps_(has_jumps(equation)),
        with_offset_(with_offset) {
    const double found = cycle_length(record.acceleration, record.step);
    cycle_ = found > 0.0 ? found : static_cast<double>(record.samples()) * record.step;
    const Sizes sizes = sizes_of(record, cycle_);
    unknowns_ = unknowns_of(model_, start, with_offset, sizes, options);
    search_.simulation = simulation_of(equation, record, cycle_, sizes, options);
    search_.strategy = StartStrategy::Plain;
    search_.threads = 1;
    search_.missing_terms = false;  // asked for by missing_terms.hpp
    search_.search.stop = options.stop;
    samples_ = std::max<Index>(
        8, static_cast<Index>(std::lround(options.part * static_cast<double>(record.samples()))));
  }

  RefinedEquation run() {
    RefinedEquation refined;
    refined.names = equation_.parameters();
    refined.offset_fitted = with_offset_;
    refined.unknowns = static_cast<Index>(std::count_if(
        unknowns_.begin(), unknowns_.end(), [](const auto& entry) { return !entry.fixed; }));
    double horizon = kFirstCycles * cycle_ / record_.step;
    for (; 1.5 * horizon < static_cast<double>(samples_) && !stopped(); horizon *= 4.0) {
      search(static_cast<Index>(horizon), refined);
    }
    search(samples_, refined);
    // Jumps that have left the samples taken out may have stopped the search.
    for (int round = 1; round < kRounds && jumps_ && !stopped() && has_moved(); ++round) {
      search(samples_, refined);
    }
    refined.search.evaluations = evaluations_;
    take_result(model_, refined);
    return refined;
  }

 private:
  void search(Index samples, RefinedEquation& refined) {
    Experiments data = data_of(equation_, record_, samples);
    if (jumps_) {
      hidden_ = hidden_samples(samples, 1);
      for (Index k = 0; k < samples; ++k) {
        if (hidden_[static_cast<std::size_t>(k)]) data[0].output(k, 0) = std::nan("");
      }
    }
    refined.samples = measured_samples(data);
    refined.search = output_error(compiled_, unknowns_, data, search_);
    evaluations_ += refined.search.evaluations;
    for (std::size_t k = 0; k < unknowns_.size(); ++k) {
      const double value = refined.search.parameters(static_cast<Index>(k));
      if (!unknowns_[k].fixed && std::isfinite(value)) unknowns_[k].guess = value;
    }
  }

  // Samples next to a jump of the acceleration. The cost would jump when one passes a sample.
  [[nodiscard]] std::vector<bool> hidden_samples(Index samples, Index margin) const {
    const auto count = static_cast<Index>(equation_.parameters().size());
    VectorXd parameters(count);
    for (Index j = 0; j < count; ++j) parameters(j) = unknowns_[static_cast<std::size_t>(j)].guess;
    const auto x0 = static_cast<std::size_t>(count);
    const Eigen::MatrixXd forcing =
        record_.forcing.size() > 0 ? record_.forcing.topRows(samples).eval() : MatrixXd();
    const SimulatedMotion motion =
        simulate_motion(equation_, parameters, unknowns_[x0].guess, unknowns_[x0 + 1].guess,
                        record_.step, samples, forcing, record_.start_time);
    std::vector<bool> hidden(static_cast<std::size_t>(samples), false);
    const std::vector<bool> jumps = jumps_along(equation_, parameters, motion, forcing);
    for (Index k = 0; k < static_cast<Index>(jumps.size()); ++k) {
      if (!jumps[static_cast<std::size_t>(k)]) continue;
      const Index end = std::min(samples - 1, k + 1 + margin);
      for (Index i = std::max<Index>(0, k - margin); i <= end; ++i) {
        hidden[static_cast<std::size_t>(i)] = true;
      }
    }
    return hidden;
  }

  [[nodiscard]] bool stopped() const {
    return search_.search.stop != nullptr && search_.search.stop->requested();
  }

  // Whether a jump now has a sample beside it that was not taken out.
  [[nodiscard]] bool has_moved() const {
    const std::vector<bool> now = hidden_samples(samples_, 0);
    for (std::size_t k = 0; k < now.size(); ++k) {
      if (now[k] && !hidden_[k]) return true;
    }
    return false;
  }

  const EquationOfMotion& equation_;
  const AccelerationRecord& record_;
  SensedModel model_;
  model::CompiledEquations compiled_;
  bool jumps_, with_offset_;
  double cycle_ = 0.0;
  std::vector<optimize::Parameter> unknowns_;
  OutputErrorOptions search_;
  Index samples_ = 0;
  long evaluations_ = 0;
  std::vector<bool> hidden_;
};

}  // namespace

RefinedEquation refine_equation(const EquationOfMotion& equation, const AccelerationRecord& record,
                                const FitGuess& start, bool with_offset,
                                const EquationRefineOptions& options) {
  check_start(equation, record, start, options);
  return MotionRefiner(equation, record, start, with_offset, options).run();
}

RefinedEquation refine_equation(const EquationOfMotion& equation, const AccelerationRecord& record,
                                const AccelerationRegression& regression,
                                const EquationRefineOptions& options) {
  check::size(kRefine, "regression.parameters", regression.parameters.size(),
              static_cast<long long>(equation.parameters().size()));
  const auto good = std::find_if(regression.windows.begin(), regression.windows.end(),
                                 [](const WindowFit& window) { return window.ok(); });
  if (good == regression.windows.end()) {
    throw InvalidInput({.function = std::string(kRefine),
                        .argument = "regression",
                        .rule = "must have a window that succeeded",
                        .value = "none"});
  }
  FitGuess start = carried_back(regression.signals, *good);
  start.parameters = regression.parameters;
  FitGuess first = start;
  first.parameters = good->parameters;
  const bool with_offset = options.offset == Choice::Automatic ? regression.offset_fitted
                                                               : options.offset == Choice::Always;
  // The mean is the better start, unless the motion dies out and late windows know little.
  const bool mean = misfit(equation, record, start, regression.signals.cycle) <=
                    misfit(equation, record, first, regression.signals.cycle);
  return refine_equation(equation, record, mean ? start : first, with_offset, options);
}

}  // namespace alembert::identify
