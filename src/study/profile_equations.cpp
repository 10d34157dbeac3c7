#include <algorithm>
#include <cmath>

#include "alembert/core/parallel.hpp"
#include "alembert/optimize/profile.hpp"
#include "alembert/optimize/student.hpp"
#include "study/output_error_steps.hpp"
#include "study/read_model.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kLevel = 0.95;
// Further points between the estimate and each end, for the figure.
constexpr int kPointsOnASide = 4;

/// The cost with one parameter held and all others fitted anew.
class HeldParameterCost {
 public:
  HeldParameterCost(const model::CompiledEquations& model, const OutputErrorOutcome& result,
                    std::size_t held, const StopFlag* stop)
      : model_(model),
        result_(result),
        options_(result.study.options),
        parameters_(result.study.parameters),
        held_(held),
        last_(estimate()) {
    // The weights are those of the estimate, or costs could not be compared.
    options_.weights = result.estimate.weights;
    options_.starts = 1;
    options_.threads = 1;
    options_.strategy = identify::StartStrategy::Plain;
    options_.search.stop = stop;
    parameters_[held].fixed = true;
    parameters_[held].logarithmic = false;
    take_guesses(result.estimate.parameters);
  }

  [[nodiscard]] double estimate() const {
    return result_.estimate.parameters(static_cast<Index>(held_));
  }

  double at(double value) {
    // Each side begins at the estimate, each fit on a side at the one before.
    if ((value < estimate()) != (last_ < estimate())) take_guesses(result_.estimate.parameters);
    last_ = value;
    parameters_[held_].guess = value;
    const bool nothing_else =
        std::none_of(parameters_.begin(), parameters_.end(),
                     [](const optimize::Parameter& one) { return !one.fixed && !one.tie; });
    if (nothing_else) return plain_cost();
    const identify::OutputErrorResult fit =
        identify::output_error(model_, parameters_, result_.study.data.experiments, options_);
    if (std::isfinite(fit.cost)) take_guesses(fit.parameters);
    return fit.cost;
  }

 private:
  void take_guesses(const VectorXd& theta) {
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      parameters_[k].guess = theta(static_cast<Index>(k));
    }
  }

  // Σ (w (y - ŷ))² and the priors, with nothing to fit.
  [[nodiscard]] double plain_cost() const {
    VectorXd theta(static_cast<Index>(parameters_.size()));
    for (Index k = 0; k < theta.size(); ++k) {
      const optimize::Parameter& one = parameters_[static_cast<std::size_t>(k)];
      theta(k) = one.guess;
      if (one.tie) theta(k) = one.tie->factor * parameters_[held_].guess;
    }
    const identify::EquationPrediction prediction = identify::simulate_equations(
        model_, theta, result_.study.data.experiments, options_.simulation);
    if (!prediction.ok()) return std::numeric_limits<double>::infinity();
    double cost = 0.0;
    for (const Eigen::MatrixXd& residuals : prediction.residuals) {
      for (Index i = 0; i < residuals.cols(); ++i) {
        for (const double residual : residuals.col(i)) {
          if (!std::isnan(residual)) cost += std::pow(options_.weights(i) * residual, 2);
        }
      }
    }
    for (Index k = 0; k < theta.size(); ++k) {
      const auto& prior = parameters_[static_cast<std::size_t>(k)].prior;
      if (prior) cost += std::pow((theta(k) - prior->mean) / prior->deviation, 2);
    }
    return cost;
  }

  const model::CompiledEquations& model_;
  const OutputErrorOutcome& result_;
  identify::OutputErrorOptions options_;
  std::vector<optimize::Parameter> parameters_;
  std::size_t held_;
  double last_;
};

std::size_t place_of(const OutputErrorStudy& study, const std::string& name) {
  std::size_t at = 0;
  while (study.parameters[at].name != name) ++at;
  return at;
}

// The search for the ends has few points on the way to them.
void fill_curve(HeldParameterCost& cost, optimize::ProfileInterval& interval) {
  for (const double end : {interval.lower, interval.upper}) {
    for (int k = kPointsOnASide; k > 0; --k) {
      const double share = static_cast<double>(k) / (kPointsOnASide + 1);
      const double value = cost.estimate() + share * (end - cost.estimate());
      if (value != cost.estimate()) interval.curve.push_back({value, cost.at(value)});
    }
  }
  std::sort(interval.curve.begin(), interval.curve.end(),
            [](const optimize::ProfilePoint& a, const optimize::ProfilePoint& b) {
              return a.value < b.value;
            });
}

ParameterProfile profile_of(const model::CompiledEquations& model, const OutputErrorOutcome& result,
                            const std::string& name, const StopFlag* stop) {
  const optimize::EstimateStatistics& statistics = result.estimate.statistics;
  const std::size_t at = place_of(result.study, name);
  const optimize::Parameter& parameter = result.study.parameters[at];
  HeldParameterCost cost(model, result, at, stop);
  const Index samples = identify::measured_samples(result.study.data.experiments);
  ParameterProfile profile;
  profile.name = name;
  profile.limit = optimize::profile_limit(result.estimate.cost, samples, statistics.rank, kLevel);
  const Index place = index_of(statistics.names, name);
  const double deviation = place < 0 ? 0.0 : statistics.deviations(place);
  const bool known = std::isfinite(deviation) && deviation > 0.0;
  const double size = std::abs(cost.estimate());
  profile.interval = optimize::profile_interval(
      [&](double value) { return cost.at(value); }, cost.estimate(), result.estimate.cost,
      {.limit = profile.limit,
       // Without a standard deviation the search has to feel its way.
       .first_step = known ? 2.0 * deviation : 0.01 * (size > 0.0 ? size : 1.0),
       .lower = parameter.logarithmic ? std::max(parameter.lower, 0.0) : parameter.lower,
       .upper = parameter.upper});
  fill_curve(cost, profile.interval);
  return profile;
}

}  // namespace

void find_profiles(const model::CompiledEquations& model, const RunOptions& options,
                   OutputErrorOutcome& result) {
  const std::vector<std::string>& names = result.study.profiles;
  // Fits of whole records with a parameter held could not be compared with those of windows.
  if (result.estimate.windows > 0) return;
  const bool found = result.estimate.ok() && result.has_prediction() && result.estimate.cost > 0.0;
  if (names.empty() || !found) return;
  std::vector<ParameterProfile> profiles(names.size());
  const std::size_t finished = parallel_for(
      names.size(),
      [&](std::size_t i) { profiles[i] = profile_of(model, result, names[i], options.stop); },
      {.threads = options.threads, .on_progress = options.on_progress, .stop = options.stop});
  // A search that was stopped ends early and cannot be trusted.
  const bool stopped =
      finished < names.size() || (options.stop != nullptr && options.stop->requested());
  if (!stopped) {
    result.profiles = std::move(profiles);
  } else if (result.ok()) {
    result.status = Status::Stopped;
    result.message = "stopped on request before the profiles were found; the estimate is complete";
  }
}

}  // namespace alembert::study
