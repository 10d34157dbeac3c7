#include "alembert/optimize/multi_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "alembert/core/check.hpp"
#include "alembert/core/parallel.hpp"
#include "alembert/optimize/sampling.hpp"
#include "alembert/optimize/transformation.hpp"
#include "optimize/evaluator.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::string_view kManyStarts = "minimise_from_many";

void check_options(const MultiStartOptions& options) {
  check::at_least(kManyStarts, "starts", options.starts, 1);
  check::at_least(kManyStarts, "samples_per_start", options.samples_per_start, 1);
  check::positive(kManyStarts, "linear_range", options.linear_range);
  check::positive(kManyStarts, "logarithmic_range - 1", options.logarithmic_range - 1.0);
  check::positive(kManyStarts, "same_point", options.same_point);
}

// The points to start from, in free variables, one in each row.
MatrixXd sampled(const Transformation& map, const MultiStartOptions& options) {
  const Index n = map.free_size();
  const Index count = options.starts * options.samples_per_start;
  const bool use_sobol = options.kind == Starts::Sobol && n <= kMaxSobolDimension;
  MatrixXd points =
      use_sobol ? sobol(count, n, options.seed) : latin_hypercube(count, n, options.seed);
  for (Index j = 0; j < n; ++j) {
    const Parameter& parameter = map.parameters()[static_cast<std::size_t>(map.parameter_of(j))];
    const double reach = parameter.logarithmic
                             ? std::log(options.logarithmic_range) / map.scale()(j)
                             : options.linear_range;
    const double low = std::isfinite(map.lower()(j)) ? map.lower()(j) : map.start()(j) - reach;
    const double high = std::isfinite(map.upper()(j)) ? map.upper()(j) : map.start()(j) + reach;
    for (Index i = 0; i < count; ++i) points(i, j) = low + (high - low) * points(i, j);
  }
  return points;
}

// Tells of what is the best of all searches; they run in several threads.
class SharedBest {
 public:
  explicit SharedBest(OnImprovement report) : report_(std::move(report)) {}

  OnImprovement listener() {
    if (!report_) return {};
    return [this](const Improvement& improvement, const VectorXd& parameters) {
      const std::lock_guard lock(mutex_);
      if (!(improvement.cost < best_)) return;
      best_ = improvement.cost;
      report_(improvement, parameters);
    };
  }

 private:
  OnImprovement report_;
  std::mutex mutex_;
  double best_ = kInfinity;
};

class ManySearches {
 public:
  ManySearches(const Transformation& map, const std::function<Objective()>& make_objective,
               const MultiStartOptions& options)
      : map_(map),
        make_objective_(make_objective),
        options_(options),
        points_(sampled(map, options)),
        best_(options.local.on_improvement) {}

  // Search i as a column: cost, evaluations, status, start, parameters.
  MatrixXd run(Index i) {
    Problem problem{map_.parameters(), make_objective_()};
    MinimiseOptions local = options_.local;
    local.on_improvement = best_.listener();
    long spent = 0;
    const VectorXd start = i == 0 ? parameters_at(map_.start()) : chosen_start(i, problem, spent);
    for (Index k = 0; k < map_.size(); ++k) {
      problem.parameters[static_cast<std::size_t>(k)].guess = start(k);
    }
    // All searches see the variables of the guess: a start near zero must not set the scale.
    for (Index j = 0; j < map_.free_size(); ++j) {
      problem.parameters[static_cast<std::size_t>(map_.parameter_of(j))].scale = map_.scale()(j);
    }
    const Minimum minimum = minimise(problem, local);
    VectorXd packed(3 + 2 * map_.size());
    packed << minimum.cost, static_cast<double>(minimum.evaluations + spent),
        static_cast<double>(minimum.status), start, minimum.parameters;
    return packed;
  }

 private:
  VectorXd parameters_at(const VectorXd& x) const {
    VectorXd theta;
    map_.to_parameters(x, theta);
    return theta;
  }

  VectorXd chosen_start(Index i, const Problem& problem, long& spent) const {
    MinimiseOptions quiet{.stop = options_.local.stop};
    Evaluator evaluator(map_, problem.objective, quiet, options_.samples_per_start);
    VectorXd best = points_.row(i);
    double lowest = kInfinity;
    // With one point there is nothing to choose.
    for (Index s = 0; options_.samples_per_start > 1 && s < options_.samples_per_start; ++s) {
      const VectorXd x = points_.row(i + s * options_.starts);
      const double cost = evaluator.cost(x);
      if (!(cost < lowest)) continue;
      lowest = cost;
      best = x;
    }
    spent = evaluator.evaluations();
    return parameters_at(best);
  }

  const Transformation& map_;
  const std::function<Objective()>& make_objective_;
  const MultiStartOptions& options_;
  MatrixXd points_;
  SharedBest best_;
};

using Packed = std::vector<std::optional<MatrixXd>>;

Packed run_all(ManySearches& searches, const MultiStartOptions& options) {
  const std::size_t count = static_cast<std::size_t>(options.starts);
  const ParallelOptions parallel{
      .threads = options.threads, .on_progress = options.on_progress, .stop = options.local.stop};
  const auto run = [&](std::size_t i) { return searches.run(static_cast<Index>(i)); };
  if (options.machines != nullptr) return distributed_map(*options.machines, count, run, parallel);
  Packed results(count);
  parallel_for(
      count, [&](std::size_t i) { results[i] = run(i); }, parallel);
  return results;
}

LocalEnd unpacked(const MatrixXd& packed, Index size) {
  return {.start = packed.col(0).segment(3, size),
          .parameters = packed.col(0).segment(3 + size, size),
          .cost = packed(0, 0),
          .evaluations = static_cast<long>(packed(1, 0)),
          .status = static_cast<Status>(static_cast<int>(packed(2, 0)))};
}

std::vector<Optimum> distinct(const std::vector<LocalEnd>& ends, const Transformation& map,
                              double same_point) {
  std::vector<const LocalEnd*> order;
  for (const LocalEnd& end : ends) {
    if (std::isfinite(end.cost)) order.push_back(&end);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const LocalEnd* a, const LocalEnd* b) { return a->cost < b->cost; });
  std::vector<Optimum> optima;
  for (const LocalEnd* end : order) {
    const VectorXd x = map.to_free(end->parameters);
    const auto same = std::find_if(optima.begin(), optima.end(), [&](const Optimum& optimum) {
      const VectorXd other = map.to_free(optimum.parameters);
      return ((x - other).cwiseAbs().array() <= same_point * (1.0 + other.cwiseAbs().array()))
          .all();
    });
    if (same != optima.end()) {
      ++same->hits;
    } else {
      optima.push_back({end->parameters, end->cost, 1});
    }
  }
  return optima;
}

Outcome outcome_of(const MultiStartResult& result, const MultiStartOptions& options) {
  if (options.local.stop != nullptr && options.local.stop->requested()) {
    return {Status::Stopped,
            fmt::format("stopped; the best of {} searches is kept", result.ends.size())};
  }
  if (result.optima.empty()) {
    return {Status::NotFinite,
            fmt::format("the cost is not finite at any of {} starts; narrow the bounds to where "
                        "the model can be computed, or raise samples_per_start",
                        result.ends.size())};
  }
  // Of several searches that ended at the lowest cost one that converged speaks for all.
  const LocalEnd* best = nullptr;
  for (const LocalEnd& end : result.ends) {
    if (end.cost != result.cost) continue;
    if (end.status == Status::Success) return {};
    if (best == nullptr) best = &end;
  }
  return {best->status,
          fmt::format("the best search did not converge; raise {} or take another solver",
                      options.local.max_evaluations_name)};
}

}  // namespace

MultiStartResult minimise_from_many(const std::vector<Parameter>& parameters,
                                    const std::function<Objective()>& make_objective,
                                    const MultiStartOptions& options) {
  check_options(options);
  const Transformation map(parameters);
  MultiStartResult result;
  map.to_parameters(map.start(), result.parameters);
  if (map.free_size() == 0) (void)minimise({parameters, make_objective()}, options.local);
  ManySearches searches(map, make_objective, options);
  for (const auto& packed : run_all(searches, options)) {
    if (packed) result.ends.push_back(unpacked(*packed, map.size()));
  }
  if (options.machines != nullptr && !options.machines->is_first()) return result;
  for (const LocalEnd& end : result.ends) result.evaluations += end.evaluations;
  result.optima = distinct(result.ends, map, options.same_point);
  if (!result.optima.empty()) {
    result.parameters = result.optima.front().parameters;
    result.cost = result.optima.front().cost;
  }
  static_cast<Outcome&>(result) = outcome_of(result, options);
  return result;
}

}  // namespace alembert::optimize
