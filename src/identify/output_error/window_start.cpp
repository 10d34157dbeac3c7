#include "identify/output_error/window_start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/random.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Weights of the continuity. At 1 a gap as large as the motion costs as much as outputs that are
// wrong by all of their size in the whole window.
constexpr double kContinuity[] = {1e-2, 1.0, 1e2, 1e4, 1e6};
constexpr std::size_t kShortestWindow = 4;
// Windows that cannot be simulated from the guess are halved so often.
constexpr int kHalvings = 3;
// Stands for a window whose transition is no number: it is not merged with another.
constexpr double kUnknownGrowth = 100.0;
constexpr double kScatter = 10.0;   // largest factor of guesses that are drawn
constexpr double kMostShift = 3.0;  // of a parameter that is 0, in scales
constexpr std::size_t kPiecesOfRecord = 50;
constexpr double kNoLimit = std::numeric_limits<double>::infinity();

double mean_square(const VectorXd& values, double mean) {
  double sum = 0.0;
  Index count = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    sum += (value - mean) * (value - mean);
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : 0.0;
}

double mean_of(const VectorXd& values) {
  double sum = 0.0;
  Index count = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    sum += value;
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : 0.0;
}

// The first lag with a negative autocorrelation, at most `most`. Lags are tried in steps of 2 %:
// the work is that of N ln(N) products and not of N².
Index first_zero(const VectorXd& y, Index most) {
  const double mean = mean_of(y);
  for (Index lag = 1; lag < most; lag += 1 + lag / 50) {
    double sum = 0.0;
    for (Index k = lag; k < y.size(); ++k) {
      const double product = (y(k) - mean) * (y(k - lag) - mean);
      if (std::isfinite(product)) sum += product;
    }
    if (sum < 0.0) return lag;
  }
  return most;
}

// Changes of sign of a slope.
Index extrema_of(const VectorXd& slope) {
  Index count = 0;
  for (Index k = 1; k < slope.size(); ++k) count += slope(k - 1) * slope(k) < 0.0 ? 1 : 0;
  return count;
}

// Start states of all windows: what the outputs say, and the rest carried over from the window
// before by the model, or from the start of the model where that leaves the range of numbers.
MatrixXd states_from_data(WindowProblem& problem, const StartSetting& setting,
                          const VectorXd& theta) {
  const StateReader reader(setting.model, theta);
  model::EquationEvaluator evaluator(setting.model);
  evaluator.set_parameters({theta.data(), static_cast<std::size_t>(theta.size())});
  VectorXd fresh, carried;
  problem.set_parameters(theta);
  MatrixXd states(problem.states(), static_cast<Index>(problem.windows().size()));
  for (Index w = 0; w < states.cols(); ++w) {
    const RecordWindow& window = problem.windows()[static_cast<std::size_t>(w)];
    if (window.first == 0) {
      fresh = start_of(setting.records[window.record], evaluator, problem.states());
      carried = fresh;
    }
    reader.correct(setting.smooth[window.record], static_cast<Index>(window.first), carried.data());
    states.col(w) = carried;
    if (window.last) continue;
    if (problem.simulate(window, states.col(w).data())) {
      carried = Eigen::Map<const VectorXd>(problem.state(window.samples), carried.size());
    } else {
      carried = fresh;
    }
  }
  return states;
}

// Start states of all windows from simulations of whole records; false if one cannot be simulated.
bool states_along(const model::CompiledEquations& model, const std::vector<EquationRecord>& records,
                  const MatrixXd& starts, WindowProblem& problem, WindowPoint& point) {
  model::EquationEvaluator evaluator(model);
  evaluator.set_parameters({point.theta.data(), static_cast<std::size_t>(point.theta.size())});
  problem.set_parameters(point.theta);
  point.states.resize(problem.states(), static_cast<Index>(problem.windows().size()));
  VectorXd carried;
  for (Index w = 0; w < point.states.cols(); ++w) {
    const RecordWindow& window = problem.windows()[static_cast<std::size_t>(w)];
    const auto record = static_cast<Index>(window.record);
    if (window.first == 0) {
      const bool found = record < starts.cols() && starts.rows() == problem.states() &&
                         starts.col(record).allFinite();
      carried = found ? VectorXd(starts.col(record))
                      : start_of(records[window.record], evaluator, problem.states());
    }
    point.states.col(w) = carried;
    if (!problem.simulate(window, point.states.col(w).data())) return false;
    if (!window.last) {
      carried = Eigen::Map<const VectorXd>(problem.state(window.samples), carried.size());
    }
  }
  return true;
}

// Σ (w (y - mean y))²/N over all outputs, the largest of all records.
double signal_power(const StartSetting& setting) {
  double power = 0.0;
  for (Index i = 0; i < setting.weights.size(); ++i) {
    double largest = 0.0;
    for (const EquationRecord& record : setting.records) {
      const VectorXd y = record.experiment().output.col(i);
      largest = std::max(largest, mean_square(y, mean_of(y)));
    }
    power += setting.weights(i) * setting.weights(i) * largest;
  }
  return power;
}

// κ of each state for a weight, from the sizes of states and outputs.
VectorXd continuity_weights(const StartSetting& setting, const WindowPoint& point, double weight,
                            std::size_t length) {
  const double signal = signal_power(setting);
  VectorXd kappa(point.states.rows());
  for (Index j = 0; j < kappa.size(); ++j) {
    const VectorXd values = point.states.row(j);
    const double spread = mean_square(values, mean_of(values));
    // A state that hardly moves beside its mean still has some freedom.
    const double size = std::max({spread, 1e-6 * mean_square(values, 0.0), 1e-30});
    kappa(j) = std::sqrt(weight * static_cast<double>(length) * signal / size);
  }
  return kappa;
}

// ln of the largest growth of a state change along a record: products of the transitions, in units
// of the state sizes.
double growth_of(const WindowEquations& equations, const std::vector<RecordWindow>& windows,
                 const VectorXd& kappa, std::vector<double>* of_window) {
  double largest = 0.0;
  double sum = 0.0;
  MatrixXd product;
  for (std::size_t w = 0; w < windows.size(); ++w) {
    if (windows[w].first == 0) {
      sum = 0.0;
      product = MatrixXd::Identity(kappa.size(), kappa.size());
    }
    double of_this = 0.0;
    if (!windows[w].last) {
      MatrixXd scaled = equations.blocks[w].transition;
      for (Index c = 0; c < scaled.cols(); ++c) {
        for (Index r = 0; r < scaled.rows(); ++r) scaled(r, c) *= kappa(r) / kappa(c);
      }
      product = (scaled * product).eval();
      const double size = product.norm();
      if (size > 0.0 && std::isfinite(size)) {
        product /= size;
        of_this = std::log(size);
        sum += of_this;
        largest = std::max(largest, sum);
      } else {  // forgotten, or no number: begins anew behind it
        product = MatrixXd::Identity(kappa.size(), kappa.size());
        of_this = size == 0.0 ? 0.0 : kUnknownGrowth;
      }
    }
    if (of_window != nullptr) of_window->push_back(std::max(of_this, 0.0));
  }
  return largest;
}

// Joins neighbours of a record while their growth stays below the limit.
void merge_up_to(double limit, const std::vector<double>& growth, WindowEstimate& estimate) {
  std::vector<RecordWindow> merged;
  std::vector<Index> kept;
  double sum = 0.0;
  for (std::size_t w = 0; w < estimate.windows.size(); ++w) {
    const RecordWindow& window = estimate.windows[w];
    if (window.first == 0 || sum + growth[w] > limit) {
      merged.push_back(window);
      kept.push_back(static_cast<Index>(w));
      sum = 0.0;
    } else {
      merged.back().samples += window.samples;
      merged.back().last = window.last;
    }
    sum += growth[w];
  }
  MatrixXd states(estimate.point.states.rows(), static_cast<Index>(kept.size()));
  for (Index w = 0; w < states.cols(); ++w) {
    states.col(w) = estimate.point.states.col(kept[static_cast<std::size_t>(w)]);
  }
  estimate.point.states = states;
  estimate.windows = merged;
}

}  // namespace

std::size_t quarter_wave(const StartSetting& setting) {
  Index shortest = std::numeric_limits<Index>::max();
  Index wave = std::numeric_limits<Index>::max();
  for (std::size_t e = 0; e < setting.records.size(); ++e) {
    const MatrixXd& output = setting.records[e].experiment().output;
    shortest = std::min(shortest, output.rows());
    for (Index i = 0; i < output.cols(); ++i) {
      wave = std::min(wave, first_zero(output.col(i), output.rows() / 4 + 1));
      wave = std::min(wave, output.rows() / (2 * (extrema_of(setting.smooth[e].first.col(i)) + 1)));
    }
  }
  const Index most = std::max<Index>(shortest / 4, 1);
  return std::max(static_cast<std::size_t>(std::min(wave, most)), kShortestWindow);
}

VectorXd scattered(const StartSetting& setting, const VectorXd& centre, double most,
                   std::uint64_t draw) {
  const optimize::Transformation map(setting.parameters);
  RandomStream random(setting.options.seed, draw);
  VectorXd theta, x = map.to_free(centre);
  for (Index j = 0; j < x.size(); ++j) {
    const optimize::Parameter& parameter =
        setting.parameters[static_cast<std::size_t>(map.parameter_of(j))];
    const double factor = std::exp(random.uniform(-1.0, 1.0) * std::log(most));
    const double shift = random.uniform(-1.0, 1.0) * std::min(most - 1.0, kMostShift);
    if (parameter.logarithmic) {
      x(j) += std::log(factor) / map.scale()(j);
    } else {
      x(j) = x(j) != 0.0 ? x(j) * factor : shift;
    }
  }
  map.to_parameters(x.cwiseMax(map.lower()).cwiseMin(map.upper()), theta);
  return theta;
}

VectorXd scattered_guess(const StartSetting& setting, std::uint64_t draw) {
  const optimize::Transformation map(setting.parameters);
  VectorXd guess;
  map.to_parameters(map.start(), guess);
  return scattered(setting, guess, kScatter, draw);
}

WindowEstimate estimate_in_windows(const StartSetting& setting, const VectorXd& theta,
                                   std::size_t length, int max_steps) {
  const optimize::Transformation map(setting.parameters);
  WindowProblem problem(setting.model, setting.records, map, setting.weights,
                        setting.options.simulation.start);
  WindowEstimate result;
  result.point.theta = theta;
  bool feasible = false;
  for (int halving = 0; halving <= kHalvings && !feasible; ++halving) {
    problem.set_windows(cut_records(setting.records, std::max<std::size_t>(length >> halving, 1)));
    result.point.states = states_from_data(problem, setting, theta);
    problem.set_continuity(continuity_weights(setting, result.point, kContinuity[0],
                                              problem.windows().front().samples));
    feasible = search_windows(problem, result.point,
                              {.max_steps = max_steps,
                               .cost_tolerance = 1e-3,
                               .stop = setting.options.search.stop}) != WindowSearchEnd::Infeasible;
  }
  result.windows = problem.windows();
  result.evaluations = problem.evaluations();
  if (!feasible) {
    result.status = Status::NotFinite;
    result.message = "the windows cannot be simulated from the guess";
  }
  return result;
}

WindowEstimate windows_along(const StartSetting& setting, const VectorXd& theta,
                             const MatrixXd& starts, std::size_t length) {
  const optimize::Transformation map(setting.parameters);
  WindowProblem problem(setting.model, setting.records, map, setting.weights,
                        setting.options.simulation.start);
  problem.set_windows(cut_records(setting.records, length));
  WindowEstimate result;
  result.point.theta = theta;
  result.windows = problem.windows();
  if (!states_along(setting.model, setting.records, starts, problem, result.point)) {
    static_cast<Outcome&>(result) = {Status::NotFinite, "the records cannot be simulated"};
  }
  return result;
}

double growth_along(const model::CompiledEquations& model,
                    const std::vector<EquationRecord>& records,
                    const std::vector<optimize::Parameter>& parameters, const VectorXd& theta,
                    const VectorXd& weights) {
  const optimize::Transformation map(parameters);
  WindowProblem problem(model, records, map, weights, StartState::Model);
  const auto samples = static_cast<std::size_t>(records.front().experiment().samples());
  problem.set_windows(cut_records(records, std::max<std::size_t>(samples / kPiecesOfRecord, 1)));
  WindowPoint point{.theta = theta, .states = {}};
  if (!states_along(model, records, {}, problem, point)) return kNoLimit;
  VectorXd kappa(problem.states());
  for (Index j = 0; j < kappa.size(); ++j) {
    kappa(j) = 1.0 / std::sqrt(std::max(mean_square(point.states.row(j), 0.0), 1e-30));
  }
  WindowEquations equations;
  if (!problem.linearise(point, equations)) return kNoLimit;
  return growth_of(equations, problem.windows(), kappa, nullptr);
}

WindowEstimate join_windows(const StartSetting& setting, WindowEstimate estimate) {
  const optimize::Transformation map(setting.parameters);
  WindowProblem problem(setting.model, setting.records, map, setting.weights,
                        setting.options.simulation.start);
  problem.set_windows(estimate.windows);
  double signal = 0.0;
  for (const EquationRecord& record : setting.records) {
    signal += signal_power(setting) * static_cast<double>(record.samples());
  }
  VectorXd kappa;
  for (std::size_t stage = 1; estimate.ok() && stage < std::size(kContinuity); ++stage) {
    kappa = continuity_weights(setting, estimate.point, kContinuity[stage],
                               estimate.windows.front().samples);
    problem.set_continuity(kappa);
    const WindowSearchEnd end = search_windows(
        problem, estimate.point,
        {.max_steps = 20, .cost_tolerance = 1e-3, .stop = setting.options.search.stop});
    // Outputs that do not move at all would do better than gaps that cost so much.
    if (end == WindowSearchEnd::Infeasible || (stage >= 2 && estimate.point.cost > signal)) {
      estimate.status = Status::NotConverged;
      estimate.message = "the gaps between the windows do not close";
    }
  }
  WindowEquations equations;
  if (estimate.ok() && problem.linearise(estimate.point, equations)) {
    estimate.growth = growth_of(equations, estimate.windows, kappa, nullptr);
  }
  estimate.evaluations += problem.evaluations();
  return estimate;
}

WindowEstimate merge_windows(const StartSetting& setting, const WindowEstimate& estimate,
                             double limit) {
  const optimize::Transformation map(setting.parameters);
  WindowProblem problem(setting.model, setting.records, map, setting.weights,
                        setting.options.simulation.start);
  problem.set_windows(estimate.windows);
  const VectorXd kappa =
      continuity_weights(setting, estimate.point, 1.0, estimate.windows.front().samples);
  problem.set_continuity(kappa);
  WindowEstimate result = estimate;
  WindowEquations equations;
  std::vector<double> growth;
  if (problem.linearise(result.point, equations)) {
    growth_of(equations, estimate.windows, kappa, &growth);
    merge_up_to(limit, growth, result);
  }
  const long spent = problem.evaluations();
  result = refit_windows(setting, result);
  result.evaluations += spent;
  return result;
}

WindowEstimate refit_windows(const StartSetting& setting, WindowEstimate estimate) {
  const optimize::Transformation map(setting.parameters);
  WindowProblem problem(setting.model, setting.records, map, setting.weights,
                        setting.options.simulation.start);
  problem.set_windows(estimate.windows);
  problem.set_continuity(VectorXd::Zero(problem.states()));
  const WindowSearchEnd end = search_windows(
      problem, estimate.point,
      {.max_steps = 100, .cost_tolerance = 1e-8, .stop = setting.options.search.stop});
  static_cast<Outcome&>(estimate) = {};
  if (end == WindowSearchEnd::Infeasible) {
    static_cast<Outcome&>(estimate) = {Status::NotFinite, "the merged windows cannot be simulated"};
  } else if (end == WindowSearchEnd::Unfinished) {
    static_cast<Outcome&>(estimate) = {
        Status::NotConverged,
        "the search over windows with free start states ended before its cost came to rest"};
  }
  estimate.evaluations = problem.evaluations();
  return estimate;
}

}  // namespace alembert::identify
