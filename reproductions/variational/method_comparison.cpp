#include "reproductions/variational/method_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"

namespace alembert::reproductions::variational {

namespace {

constexpr int kPublishedIterations = 30;  // the limit of the published comparison

// The estimates of one data set; those that start from another come after it.
class Run {
 public:
  Run(const ComparisonCase& one, const RandomStream& random)
      : one_(one), simulated_(simulate_case(one.linear, random)) {}

  [[nodiscard]] Eigen::Vector3d bound() const {
    return variational::bound(one_.linear, simulated_);
  }

  Estimate estimate(Estimator estimator) {
    const LinearCase& linear = one_.linear;
    switch (estimator) {
      case Estimator::Rival:
        return rival();
      case Estimator::RivalStatic:
        return rival_estimate(linear, simulated_, identify::MassScaling::StaticGain, one_.horizon);
      case Estimator::PublishedStart:
        return published();
      case Estimator::PublishedMidpoint:
        return refined(
            linear, simulated_, published(),
            {.method = integrate::Method::Variational, .max_iterations = kPublishedIterations});
      case Estimator::RivalExact:
        return refined(linear, simulated_, rival(),
                       {.hold = matching_hold(linear), .max_iterations = kPublishedIterations});
      case Estimator::Weak:
        return weak();
      case Estimator::WeakMidpoint:
        return refined(linear, simulated_, weak(), {.method = integrate::Method::Variational});
      case Estimator::WeakLinear:
        return refined(linear, simulated_, weak(), {.hold = signal::BetweenSamples::Linear});
      case Estimator::WeakGauss:
        return refined(linear, simulated_, weak(),
                       {.method = integrate::Method::Gauss, .hold = matching_hold(linear)});
      case Estimator::WeakExact:
        return refined(linear, simulated_, weak(), {.hold = matching_hold(linear)});
    }
    return {};
  }

 private:
  const Estimate& rival() {
    if (!rival_) {
      rival_ = rival_estimate(one_.linear, simulated_, identify::MassScaling::Markov, one_.horizon);
    }
    return *rival_;
  }
  const Estimate& published() {
    if (!published_) {
      published_ = published_start(one_.linear, simulated_, one_.horizon);
    }
    return *published_;
  }
  const Estimate& weak() {
    if (!weak_) {
      weak_ = weak_estimate(one_.linear, simulated_);
    }
    return *weak_;
  }

  const ComparisonCase& one_;
  SimulatedCase simulated_;
  std::optional<Estimate> rival_, published_, weak_;
};

// What one run of one case found.
struct RunOutcome {
  bool finished = false;
  Eigen::Vector3d bound = Eigen::Vector3d::Zero();
  std::vector<Estimate> estimates;
};

RunOutcome outcome_of(const ComparisonPlan& plan, std::size_t one, std::size_t run) {
  Run work(plan.cases[one], RandomStream(plan.seed, 1000 * one + run));
  RunOutcome outcome;
  outcome.bound = work.bound();
  for (const Estimator estimator : plan.methods) {
    outcome.estimates.push_back(work.estimate(estimator));
  }
  outcome.finished = true;
  return outcome;
}

ComparisonCell gathered(const ComparisonPlan& plan, const RunOutcome* outcomes) {
  ComparisonCell cell;
  cell.estimates.resize(plan.methods.size());
  for (std::size_t run = 0; run < plan.runs; ++run) {
    if (!outcomes[run].finished) {
      continue;
    }
    ++cell.runs;
    cell.bound += outcomes[run].bound.cwiseAbs2();
    for (std::size_t m = 0; m < plan.methods.size(); ++m) {
      cell.estimates[m].push_back(outcomes[run].estimates[m]);
    }
  }
  cell.bound = (cell.bound / static_cast<double>(cell.runs)).cwiseSqrt();
  for (const std::vector<Estimate>& estimates : cell.estimates) {
    cell.summaries.push_back(summary(estimates));
  }
  return cell;
}

constexpr const char* kMatrixNames[] = {"M", "D", "K"};

using Column = std::function<double(const ComparisonCell&, std::size_t method)>;

Table table_of(const ComparisonPlan& plan, const std::vector<ComparisonCell>& cells,
               const std::string& id, const std::string& what, const std::string& caption,
               const Column& value) {
  Table table;
  table.id = plan.id + "-" + id;
  table.title = fmt::format("{}: {}", what, plan.title);
  table.header = {"method"};
  table.caption = caption;
  table.values.resize(static_cast<Eigen::Index>(plan.methods.size()),
                      static_cast<Eigen::Index>(cells.size()));
  for (const ComparisonCase& one : plan.cases) {
    table.header.push_back(one.label);
  }
  for (std::size_t m = 0; m < plan.methods.size(); ++m) {
    table.rows.push_back({title_of(plan.methods[m])});
    for (std::size_t c = 0; c < cells.size(); ++c) {
      table.values(static_cast<Eigen::Index>(m), static_cast<Eigen::Index>(c)) = value(cells[c], m);
    }
  }
  return table;
}

void add_bound_row(const std::vector<ComparisonCell>& cells, Eigen::Index matrix, Table& table) {
  table.rows.insert(table.rows.begin(), std::vector<std::string>{"Cramer-Rao bound (rms)"});
  Eigen::MatrixXd values(table.values.rows() + 1, table.values.cols());
  values.bottomRows(table.values.rows()) = table.values;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    values(0, static_cast<Eigen::Index>(c)) = cells[c].bound[matrix];
  }
  table.values = values;
}

}  // namespace

std::string title_of(Estimator estimator) {
  switch (estimator) {
    case Estimator::Rival:
      return "subspace + logarithm, mass by C A B";
    case Estimator::RivalStatic:
      return "subspace + logarithm, mass by static gain";
    case Estimator::PublishedStart:
      return "variational start as published";
    case Estimator::PublishedMidpoint:
      return "published start + refinement, midpoint";
    case Estimator::RivalExact:
      return "subspace + logarithm + refinement, exact";
    case Estimator::Weak:
      return "weak form";
    case Estimator::WeakMidpoint:
      return "weak form + refinement, midpoint";
    case Estimator::WeakLinear:
      return "weak form + refinement, linear hold";
    case Estimator::WeakGauss:
      return "weak form + refinement, Gauss 2";
    case Estimator::WeakExact:
      return "weak form + refinement, exact";
  }
  return "";
}

std::vector<ComparisonCell> compare_methods(const ComparisonPlan& plan,
                                            const ParallelOptions& parallel) {
  std::vector<RunOutcome> outcomes(plan.cases.size() * plan.runs);
  parallel_for(
      outcomes.size(),
      [&](std::size_t i) { outcomes[i] = outcome_of(plan, i / plan.runs, i % plan.runs); },
      parallel);
  std::vector<ComparisonCell> cells;
  for (std::size_t c = 0; c < plan.cases.size(); ++c) {
    cells.push_back(gathered(plan, outcomes.data() + c * plan.runs));
  }
  return cells;
}

std::size_t index_of(const ComparisonPlan& plan, Estimator estimator) {
  const auto place = std::find(plan.methods.begin(), plan.methods.end(), estimator);
  if (place == plan.methods.end()) {
    throw InvalidInput({.function = "index_of",
                        .item = fmt::format("estimator \"{}\"", title_of(estimator)),
                        .rule = fmt::format("must be in the plan \"{}\"", plan.id)});
  }
  return static_cast<std::size_t>(place - plan.methods.begin());
}

std::size_t at_optimum(const ComparisonPlan& plan, const ComparisonCell& cell,
                       Estimator estimator) {
  const std::vector<Estimate>& of_method = cell.estimates[index_of(plan, estimator)];
  std::size_t count = 0;
  for (std::size_t run = 0; run < of_method.size(); ++run) {
    double lowest = of_method[run].noise_ratio;
    for (const std::vector<Estimate>& other : cell.estimates) {
      lowest = std::fmin(lowest, other[run].noise_ratio);
    }
    count += of_method[run].noise_ratio <= 1.02 * lowest ? 1 : 0;
  }
  return count;
}

void append_tables(const ComparisonPlan& plan, const std::vector<ComparisonCell>& cells,
                   std::vector<Table>& tables) {
  for (Eigen::Index matrix = 0; matrix < 3; ++matrix) {
    const std::string name = kMatrixNames[matrix];
    tables.push_back(table_of(
        plan, cells, name, fmt::format("error of {}", name),
        fmt::format("Mean over {} runs of the relative error in the Frobenius norm; empty where no "
                    "run gave an estimate.",
                    plan.runs),
        [matrix](const ComparisonCell& cell, std::size_t m) {
          return cell.summaries[m].mean[matrix];
        }));
    add_bound_row(cells, matrix, tables.back());
  }
  for (Eigen::Index matrix = 0; matrix < 3; ++matrix) {
    const std::string name = kMatrixNames[matrix];
    tables.push_back(table_of(plan, cells, "bound-" + name,
                              fmt::format("rms error of {} over its bound", name),
                              "1 is the best that an unbiased estimator can reach.",
                              [matrix](const ComparisonCell& cell, std::size_t m) {
                                return cell.over_bound(m)[matrix];
                              }));
  }
  tables.push_back(table_of(
      plan, cells, "iterations", "mean iterations of the refinement", "",
      [](const ComparisonCell& cell, std::size_t m) { return cell.summaries[m].mean_iterations; }));
}

void append_figures(const ComparisonPlan& plan, const std::vector<ComparisonCell>& cells,
                    std::vector<Plot>& figures) {
  const auto count = static_cast<Eigen::Index>(cells.size());
  Eigen::VectorXd steps(count);
  for (Eigen::Index c = 0; c < count; ++c) {
    steps[c] = plan.cases[static_cast<std::size_t>(c)].linear.step;
  }
  for (Eigen::Index matrix = 0; matrix < 3; ++matrix) {
    Plot figure;
    figure.id = fmt::format("{}-figure-{}", plan.id, kMatrixNames[matrix]);
    figure.title = fmt::format("Error of {}: {}", kMatrixNames[matrix], plan.title);
    figure.x_label = "step h [s]";
    figure.y_label = fmt::format("relative error of {}", kMatrixNames[matrix]);
    figure.log_x = true;
    figure.log_y = true;
    Curve limit{"Cramer-Rao bound", steps, Eigen::VectorXd(count)};
    for (Eigen::Index c = 0; c < count; ++c) {
      limit.y[c] = cells[static_cast<std::size_t>(c)].bound[matrix];
    }
    figure.curves.push_back(limit);
    for (std::size_t m = 0; m < plan.methods.size(); ++m) {
      Curve series{title_of(plan.methods[m]), steps, Eigen::VectorXd(count)};
      for (Eigen::Index c = 0; c < count; ++c) {
        series.y[c] = cells[static_cast<std::size_t>(c)].summaries[m].mean[matrix];
      }
      figure.curves.push_back(series);
    }
    figures.push_back(figure);
  }
}

}  // namespace alembert::reproductions::variational
