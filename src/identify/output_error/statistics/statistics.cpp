#include "identify/output_error/statistics/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/not_a_number.hpp"
#include "alembert/model/equation_structure.hpp"
#include "alembert/optimize/transformation.hpp"
#include "identify/experiment/noise_options.hpp"
#include "identify/output_error/equation_residuals.hpp"
#include "identify/output_error/statistics/coloured_statistics.hpp"
#include "identify/output_error/statistics/input_noise.hpp"
#include "identify/output_error/window_start.hpp"

namespace alembert::identify {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd chain_of(const std::vector<std::string>& names,
                  const std::vector<optimize::Parameter>& parameters) {
  MatrixXd chain =
      MatrixXd::Zero(static_cast<Index>(parameters.size()), static_cast<Index>(names.size()));
  for (std::size_t j = 0; j < names.size(); ++j) {
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      double& entry = chain(static_cast<Index>(k), static_cast<Index>(j));
      if (parameters[k].name == names[j]) entry = 1.0;
      if (parameters[k].tie && parameters[k].tie->other == names[j]) {
        entry = parameters[k].tie->factor;
      }
    }
  }
  return chain;
}

std::vector<std::string> fitted_names(const std::vector<optimize::Parameter>& parameters,
                                      const std::vector<std::string>& at_bound) {
  const optimize::Transformation map(parameters);
  std::vector<std::string> names;
  for (Index j = 0; j < map.free_size(); ++j) {
    const std::string& name = parameters[static_cast<std::size_t>(map.parameter_of(j))].name;
    if (std::find(at_bound.begin(), at_bound.end(), name) == at_bound.end()) names.push_back(name);
  }
  return names;
}

bool are_weighed(const std::vector<EquationRecord>& records) {
  return std::any_of(records.begin(), records.end(), [](const EquationRecord& record) {
    return record.experiment().weight.size() > 0;
  });
}

namespace {

// Distance of a scaled variable from its bound, as in minimise().
constexpr double kAtBound = 1e-9;
// From this condition of J on it is asked whether the motion is unstable.
constexpr double kLargeCondition = 1e5;
// ln of the growth from which rounding may hide a parameter: a million.
constexpr double kHidingGrowth = 14.0;
// From so many records on, start states are eliminated record by record: their columns would take
// most of the time. Up to this part of the samples that leaves the noise as it is.
constexpr std::size_t kManyRecords = 8;
constexpr double kManyStarts = 0.05;
// A deviation over that for white residuals from which colour matters.
constexpr double kColourMatters = 1.5;

// A prior is one more residual of variance 1, (θ - mean)/deviation.
void add_priors_to(FittedColumns& columns, const std::vector<optimize::Parameter>& parameters,
                   const MatrixXd& chain, const VectorXd& theta) {
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (!parameters[k].prior) continue;
    const optimize::Prior& prior = *parameters[k].prior;
    const auto row = static_cast<Index>(k);
    columns.prior.conservativeResize(columns.prior.rows() + 1, chain.cols());
    columns.prior.bottomRows(1) = chain.row(row) / prior.deviation;
    columns.cost += std::pow((theta(row) - prior.mean) / prior.deviation, 2);
    columns.count += 1;
  }
}

FittedColumns columns_of(const BlocksAt& blocks, const std::vector<optimize::Parameter>& parameters,
                         const OutputErrorResult& result) {
  FittedColumns columns;
  columns.names = fitted_names(parameters, result.at_bound);
  const MatrixXd chain = chain_of(columns.names, parameters);
  columns.values.resize(chain.cols());
  for (Index j = 0; j < chain.cols(); ++j) {
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      if (parameters[k].name == columns.names[static_cast<std::size_t>(j)]) {
        columns.values(j) = result.parameters(static_cast<Index>(k));
      }
    }
  }
  columns.blocks = blocks(result.parameters, chain);
  for (const optimize::ColouredBlock& block : columns.blocks) {
    columns.cost += block.residual.array().isNaN().select(0.0, block.residual).squaredNorm();
    columns.count += block.residual.size() - block.residual.array().isNaN().count();
  }
  columns.prior.resize(0, chain.cols());
  add_priors_to(columns, parameters, chain, result.parameters);
  return columns;
}

// An unstable motion makes all columns of J alike. Rounding then hides what the data do show.
void judge_growth(const model::CompiledEquations& model, const std::vector<EquationRecord>& records,
                  const std::vector<optimize::Parameter>& parameters,
                  const OutputErrorOptions& options, OutputErrorResult& result) {
  optimize::EstimateStatistics& found = result.statistics;
  const bool may_be_unstable = !found.ok() || found.condition > kLargeCondition;
  if (!may_be_unstable || model.model().states().empty() ||
      options.simulation.start == StartState::Periodic) {
    return;
  }
  result.growth = std::max(
      result.growth, growth_along(model, records, parameters, result.parameters, result.weights));
  if (found.ok() || !(result.growth > kHidingGrowth)) return;
  static_cast<Outcome&>(found) = {
      Status::Unstable, fmt::format("unstable: a change of the start grows by a factor of 1e{:.0f} "
                                    "along a record, which hides the parameters from whole "
                                    "records; use windows",
                                    result.growth / std::log(10.0))};
}

// Whether a part of the equations that jumps is moved across its jump by the states; what time and
// inputs alone do is the same for all parameters.
bool jumps_along_records(const model::CompiledEquations& model,
                         const std::vector<EquationRecord>& records,
                         const std::vector<optimize::Parameter>& parameters,
                         const OutputErrorResult& result) {
  // A comparison may switch between branches that meet, which leaves the derivatives right.
  model::JumpingParts parts(model.model(), false);
  if (parts.empty()) return false;
  const VectorXd& theta = result.parameters;
  const optimize::Transformation map(parameters);
  WindowProblem problem(model, records, map, result.weights, StartState::Model);
  problem.set_windows(cut_records(records, std::numeric_limits<std::size_t>::max()));
  problem.set_parameters(theta);
  model::EquationEvaluator evaluator(model);
  evaluator.set_parameters({theta.data(), static_cast<std::size_t>(theta.size())});
  for (const RecordWindow& window : problem.windows()) {
    const VectorXd start = start_of(records[window.record], evaluator, problem.states());
    if (!problem.simulate(window, start.data())) return true;
    const Experiment& data = records[window.record].experiment();
    for (std::size_t k = 1; k < window.samples; ++k) {
      const auto row = static_cast<Index>(k);
      const double t = data.start_time + static_cast<double>(k) * data.step;
      const VectorXd u = data.input.row(row);
      const std::vector<double> before = parts.at(t, problem.state(k - 1), u.data(), theta.data());
      if (parts.at(t, problem.state(k), u.data(), theta.data()) != before) return true;
    }
  }
  return false;
}

// Derivatives that miss the jumps give no deviation.
void forget_deviations(OutputErrorResult& result) {
  optimize::EstimateStatistics& found = result.statistics;
  found.covariance.setConstant(kNaN);
  found.correlation.setConstant(kNaN);
  found.deviations.setConstant(kNaN);
  found.relative_deviations.setConstant(kNaN);
  found.correlated.clear();
  result.robust = {};
  result.coloured = {};
}

// What the residuals look like: outputs that come late, or whose gain changed.
void look_for_fit_slips(const FittedColumns& columns, OutputErrorResult& result) {
  std::vector<VectorXd> scaled;
  for (const optimize::ColouredBlock& block : columns.blocks) {
    const MatrixXd& outputs = result.prediction.outputs[static_cast<std::size_t>(block.experiment)];
    scaled.push_back(result.weights(block.channel) * outputs.col(block.channel));
  }
  const auto channels = static_cast<int>(result.weights.size());
  result.delays = estimate_delays(columns.blocks, scaled, channels);
  result.gain_changes = estimate_gain_changes(columns.blocks, scaled, channels);
}

// Where residuals are coloured: whether they look like noise on the inputs, and what that does.
void judge_inputs(const model::CompiledEquations& model, const std::vector<EquationRecord>& records,
                  const std::vector<optimize::Parameter>& parameters,
                  const OutputErrorOptions& options, const FittedColumns& columns,
                  OutputErrorResult& result) {
  const optimize::ColouredCovariance& found = result.coloured;
  if (!found.ok() || !found.deviations.allFinite()) return;
  if (!(found.deviations.cwiseQuotient(found.white).maxCoeff() > kColourMatters)) return;
  Experiments data;
  for (const EquationRecord& record : records) data.push_back(record.experiment());
  const MatrixXd chain = chain_of(columns.names, parameters);
  const BlocksOf blocks_of = [&](const Experiments& experiments) {
    const std::vector<EquationRecord> own = records_of(experiments, options.simulation);
    EquationResiduals residuals(model, own, options.simulation.start, result.weights);
    const bool with_starts = columns.blocks.front().jacobian.cols() > columns.prior.cols();
    return residuals.blocks(result.parameters, chain, with_starts);
  };
  FittedColumns wide = columns;
  wide.prior = widened(columns.prior, columns.blocks.front().jacobian.cols());
  const InputNoise noise =
      find_input_noise(data, wide, coloured_options(columns, result), blocks_of);
  const std::string words = input_noise_words(noise, columns, found.deviations);
  if (words.empty()) return;
  result.note += (result.note.empty() ? "" : "; ") + words;
}

bool all_finite(const FittedColumns& columns) {
  return std::isfinite(columns.cost) && std::all_of(columns.blocks.begin(), columns.blocks.end(),
                                                    [](const optimize::ColouredBlock& block) {
                                                      return block.jacobian.allFinite();
                                                    });
}

// Free start states, which were fitted too; see FittedColumns::moved_along, filled with the blocks.
struct FittedStarts {
  Index count = 0;
  const MatrixXd& moved_along;
  bool weighed = false;  // samples have weights
};

// Statistics for white and for coloured residuals, then what `follow` makes of the columns.
template <typename Follow>
void find_by_columns(const BlocksAt& blocks, const std::vector<optimize::Parameter>& parameters,
                     const FittedStarts& starts, OutputErrorResult& result, const Follow& follow) {
  const auto free = static_cast<std::size_t>(optimize::Transformation(parameters).free_size());
  if (result.at_bound.size() == free) {
    static_cast<Outcome&>(result.statistics) = {
        Status::NotIdentifiable,
        "every free parameter ended at a bound, so that none is estimated; widen the bounds"};
    result.statistics.held = result.at_bound;
    return;
  }
  try {
    FittedColumns columns = columns_of(blocks, parameters, result);
    if (all_finite(columns)) {
      columns.factor = factor_of(columns.blocks, columns.prior);
      columns.count -= starts.count;
      columns.moved_along = starts.moved_along;
      columns.weighed = starts.weighed;
      const bool apart = columns.blocks.front().jacobian.cols() == columns.prior.cols();
      columns.states_missing = apart && static_cast<double>(starts.count) >
                                            kManyStarts * static_cast<double>(columns.count);
      result.start_deviations = judge_columns(columns, result);
      follow(columns);
      return;
    }
  } catch (const optimize::Infeasible&) {
    // Said below.
  }
  static_cast<Outcome&>(result.statistics) = {
      Status::NotFinite, "the sensitivities at the end of the search leave the range of numbers"};
  result.statistics.held = result.at_bound;
}

}  // namespace

std::vector<std::string> at_bound_of(const std::vector<optimize::Parameter>& parameters,
                                     const VectorXd& theta) {
  const optimize::Transformation map(parameters);
  const VectorXd x = map.to_free(theta);
  std::vector<std::string> names;
  for (Index j = 0; j < map.free_size(); ++j) {
    if (x(j) - map.lower()(j) <= kAtBound || map.upper()(j) - x(j) <= kAtBound) {
      names.push_back(parameters[static_cast<std::size_t>(map.parameter_of(j))].name);
    }
  }
  return names;
}

namespace {

// Deviations of start states that were eliminated: those for given parameters, each record by
// itself, and what the parameters add, D cov(θ) Dᵀ. Least squares make both uncorrelated.
MatrixXd deviations_apart(const EquationResiduals& residuals, const MatrixXd& by_parameter,
                          const OutputErrorResult& result) {
  const MatrixXd& covariance = result.trusted().covariance;
  if (covariance.cols() != by_parameter.cols()) return {};
  VectorXd found = VectorXd::Constant(by_parameter.rows(), kNaN);
  const VectorXd added =
      (by_parameter * covariance).cwiseProduct(by_parameter).rowwise().sum().cwiseMax(0.0);
  Index first = 0;
  const Index states = by_parameter.rows() / static_cast<Index>(residuals.start_blocks().size());
  for (const std::vector<optimize::ColouredBlock>& record : residuals.start_blocks()) {
    if (!record.empty()) {
      const VectorXd own = optimize::coloured_covariance(record, noise_options()).deviations;
      if (own.size() == states) {
        found.segment(first, states) = (own.cwiseAbs2() + added.segment(first, states)).cwiseSqrt();
      }
    }
    first += states;
  }
  return found;
}

// One column for each experiment; states that a record does not show have no deviation.
void arrange_start_deviations(Index states, OutputErrorResult& result) {
  MatrixXd& found = result.start_deviations;
  if (states == 0 || found.size() % states != 0) {
    found.resize(0, 0);
  } else {
    found = MatrixXd(found.reshaped(states, found.size() / states));
  }
}

}  // namespace

void find_statistics(const model::CompiledEquations& model,
                     const std::vector<EquationRecord>& records,
                     const std::vector<optimize::Parameter>& parameters,
                     const OutputErrorOptions& options, OutputErrorResult& result) {
  EquationResiduals residuals(model, records, options.simulation.start, result.weights);
  const Index starts = residuals.start_count();
  MatrixXd moved_along, apart;
  const BlocksAt blocks = [&](const VectorXd& theta, const MatrixXd& chain) {
    const bool with_starts =
        starts > 0 && records.size() < kManyRecords && chain.cols() + starts <= kMostColumns;
    std::vector<optimize::ColouredBlock> found = residuals.blocks(theta, chain, with_starts);
    if (with_starts) moved_along = residuals.starts_by_parameter(chain);
    apart = starts > 0 && !with_starts ? residuals.starts_by_parameter(chain) : MatrixXd();
    return found;
  };
  find_by_columns(blocks, parameters, {starts, moved_along, are_weighed(records)}, result,
                  [&](const FittedColumns& columns) {
                    judge_growth(model, records, parameters, options, result);
                    result.jumps = !options.simulation.events &&
                                   jumps_along_records(model, records, parameters, result);
                    if (result.jumps) {
                      forget_deviations(result);
                    } else if (result.coloured.deviations.size() > 0) {
                      look_for_fit_slips(columns, result);
                      judge_inputs(model, records, parameters, options, columns, result);
                    }
                  });
  if (apart.size() > 0) result.start_deviations = deviations_apart(residuals, apart, result);
  arrange_start_deviations(static_cast<Index>(model.model().states().size()), result);
}

void find_column_statistics(const BlocksAt& blocks,
                            const std::vector<optimize::Parameter>& parameters,
                            OutputErrorResult& result) {
  const MatrixXd none;
  find_by_columns(blocks, parameters, {0, none}, result, [&](const FittedColumns& columns) {
    if (result.coloured.deviations.size() > 0) look_for_fit_slips(columns, result);
  });
}

double relative_change(const EquationPrediction& prediction, const std::vector<MatrixXd>& finer,
                       const VectorXd& weights) {
  double change = 0.0;
  double residual = 0.0;
  for (std::size_t e = 0; e < finer.size(); ++e) {
    const MatrixXd& left = prediction.residuals[e];
    for (Index i = 0; i < left.cols(); ++i) {
      const double w = weights(i) * weights(i);
      for (Index k = 0; k < left.rows(); ++k) {
        if (std::isnan(left(k, i))) continue;
        const double moved = finer[e](k, i) - prediction.outputs[e](k, i);
        change += w * moved * moved;
        residual += w * left(k, i) * left(k, i);
      }
    }
  }
  return residual > 0.0 ? std::sqrt(change / residual) : 0.0;
}

}  // namespace alembert::identify
