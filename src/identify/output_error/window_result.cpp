#include "identify/output_error/window_result.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "alembert/core/not_a_number.hpp"
#include "core/algebra/decompositions.hpp"
#include "identify/output_error/equation_residuals.hpp"
#include "identify/output_error/statistics/coloured_statistics.hpp"

namespace alembert::identify {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

EquationPrediction predict_windows(const model::CompiledEquations& model, const Experiments& data,
                                   const WindowEstimate& estimate,
                                   const SimulationOptions& options) {
  const std::vector<EquationRecord> records = records_of(data, options);
  std::vector<optimize::Parameter> parameters;
  for (Index k = 0; k < estimate.point.theta.size(); ++k) {
    parameters.push_back({.name = std::to_string(k), .guess = estimate.point.theta(k)});
  }
  const optimize::Transformation map(parameters);
  const VectorXd weights = VectorXd::Ones(data.front().output.cols());
  WindowProblem problem(model, records, map, weights, options.start);
  problem.set_windows(estimate.windows);
  problem.set_parameters(estimate.point.theta);
  EquationPrediction prediction;
  for (const Experiment& experiment : data) {
    prediction.outputs.push_back(
        MatrixXd::Zero(experiment.output.rows(), experiment.output.cols()));
  }
  for (std::size_t w = 0; w < estimate.windows.size(); ++w) {
    const RecordWindow& window = estimate.windows[w];
    if (!problem.simulate(window, estimate.point.states.col(static_cast<Index>(w)).data())) {
      static_cast<Outcome&>(prediction) = {Status::NotFinite, "a window cannot be simulated"};
      return prediction;
    }
    MatrixXd& y = prediction.outputs[window.record];
    for (std::size_t k = 0; k < window.samples; ++k) {
      for (Index i = 0; i < y.cols(); ++i) {
        y(static_cast<Index>(window.first + k), i) = problem.output(k, static_cast<std::size_t>(i));
      }
    }
  }
  prediction.rms = VectorXd::Zero(data.front().output.cols());
  for (std::size_t e = 0; e < data.size(); ++e) {
    prediction.residuals.push_back(data[e].output - prediction.outputs[e]);
  }
  for (Index i = 0; i < prediction.rms.size(); ++i) {
    prediction.rms(i) = rms_of(prediction.residuals, i, false);
  }
  return prediction;
}

namespace {

// Free variables whose parameters are judged.
struct KeptParameters {
  std::vector<std::string> names;
  std::vector<std::string> at_start;  // act on the start of the model alone, which windows ignore
  std::vector<Index> places;          // among the free variables
  VectorXd values, slopes;            // slopes: dθ/dx
  Index free = 0;                     // number of free variables
};

KeptParameters kept_parameters(const optimize::Transformation& map, const VectorXd& theta,
                               const VectorXd& squares, const std::vector<std::string>& at_bound,
                               const std::function<bool(Index)>& acts_at_start) {
  KeptParameters kept;
  kept.free = map.free_size();
  for (Index j = 0; j < map.free_size(); ++j) {
    const std::string& name = map.parameters()[static_cast<std::size_t>(map.parameter_of(j))].name;
    if (std::find(at_bound.begin(), at_bound.end(), name) != at_bound.end()) continue;
    if (squares(j) == 0.0 && acts_at_start(map.parameter_of(j))) {
      kept.at_start.push_back(name);
      continue;
    }
    kept.names.push_back(name);
    kept.places.push_back(j);
  }
  VectorXd slope;
  map.slopes(theta, slope);
  const auto size = static_cast<Index>(kept.places.size());
  kept.values.resize(size);
  kept.slopes.resize(size);
  for (Index j = 0; j < size; ++j) {
    const Index k = map.parameter_of(kept.places[static_cast<std::size_t>(j)]);
    kept.values(j) = theta(k);
    kept.slopes(j) = slope(k);
  }
  return kept;
}

// Residuals and slopes of all windows.
struct WindowRows {
  std::vector<MatrixXd> residuals, slopes;

  // Σ J² of each free variable.
  [[nodiscard]] VectorXd squares(Index count) const {
    VectorXd sum = VectorXd::Zero(count);
    for (const MatrixXd& one : slopes) {
      sum += one.leftCols(count).colwise().squaredNorm().transpose();
    }
    return sum;
  }
};

bool linearise_windows(WindowProblem& problem, const WindowPoint& point, WindowRows& rows) {
  const std::size_t count = problem.windows().size();
  rows.residuals.resize(count);
  rows.slopes.resize(count);
  for (std::size_t w = 0; w < count; ++w) {
    if (!problem.rows(static_cast<Index>(w), point, rows.residuals[w], rows.slopes[w])) {
      return false;
    }
    // Rows of missing samples count as not there.
    const Index outputs = rows.residuals[w].cols();
    for (Index r = 0; r < rows.slopes[w].rows(); ++r) {
      if (std::isnan(rows.residuals[w](r / outputs, r % outputs))) rows.slopes[w].row(r).setZero();
    }
  }
  return true;
}

// The columns of the kept parameters in their own units.
MatrixXd parameter_part(const MatrixXd& slopes, const KeptParameters& kept) {
  MatrixXd part(slopes.rows(), static_cast<Index>(kept.places.size()));
  for (Index j = 0; j < part.cols(); ++j) {
    part.col(j) = slopes.col(kept.places[static_cast<std::size_t>(j)]) / kept.slopes(j);
  }
  return part;
}

// R of all windows with their start states eliminated: [S T] = Q [R11 R12; 0 R22] window by window,
// then R of all R22 and the priors. False if a window does not show its start state.
bool eliminate_states(WindowRows& rows, const KeptParameters& kept, const MatrixXd& prior,
                      bool project, MatrixXd& factor) {
  const auto p = static_cast<Index>(kept.places.size());
  std::vector<MatrixXd> parts;
  Index total = prior.rows();
  for (MatrixXd& slopes : rows.slopes) {
    const Index n = slopes.cols() - kept.free;
    MatrixXd both(slopes.rows(), n + p);
    both << slopes.rightCols(n), parameter_part(slopes, kept);
    const Eigen::ColPivHouseholderQR<MatrixXd> starts(MatrixXd(both.leftCols(n)));
    if (starts.rank() < n) return false;
    const MatrixXd turned = starts.householderQ().transpose() * both.rightCols(p);
    parts.emplace_back(turned.bottomRows(turned.rows() - n));
    total += parts.back().rows();
    if (!project) continue;
    MatrixXd left = turned;
    left.topRows(n).setZero();
    slopes = starts.householderQ() * left;
  }
  MatrixXd stacked = MatrixXd::Zero(std::max(total, p), p);
  Index first = 0;
  for (const MatrixXd& part : parts) {
    stacked.middleRows(first, part.rows()) = part;
    first += part.rows();
  }
  if (prior.rows() > 0) stacked.middleRows(first, prior.rows()) = prior;
  factor =
      Eigen::HouseholderQR<MatrixXd>(stacked).matrixQR().topRows(p).triangularView<Eigen::Upper>();
  return true;
}

// One block for each output of each record: windows follow each other, their noise does too.
std::vector<optimize::ColouredBlock> window_blocks(const std::vector<EquationRecord>& records,
                                                   const std::vector<RecordWindow>& windows,
                                                   const WindowRows& rows,
                                                   const KeptParameters& kept, bool with_states) {
  const auto p = static_cast<Index>(kept.places.size());
  const Index n = with_states ? rows.slopes.front().cols() - kept.free : 0;
  const Index columns = p + n * static_cast<Index>(windows.size());
  const Index outputs = rows.residuals.front().cols();
  std::vector<optimize::ColouredBlock> blocks;
  for (std::size_t e = 0; e < records.size(); ++e) {
    const Index samples = records[e].experiment().samples();
    for (Index i = 0; i < outputs; ++i) {
      blocks.push_back({.jacobian = MatrixXd::Zero(samples, columns),
                        .residual = VectorXd::Constant(samples, kNaN),
                        .channel = static_cast<int>(i),
                        .experiment = static_cast<int>(e)});
    }
  }
  for (std::size_t w = 0; w < windows.size(); ++w) {
    const MatrixXd part = with_states ? parameter_part(rows.slopes[w], kept) : rows.slopes[w];
    for (Index k = 0; k < rows.residuals[w].rows(); ++k) {
      for (Index i = 0; i < outputs; ++i) {
        optimize::ColouredBlock& block =
            blocks[windows[w].record * static_cast<std::size_t>(outputs) +
                   static_cast<std::size_t>(i)];
        const Index at = static_cast<Index>(windows[w].first) + k;
        block.residual(at) = rows.residuals[w](k, i);
        block.jacobian.row(at).head(p) = part.row(k * outputs + i);
        if (n > 0) {
          block.jacobian.row(at).segment(p + n * static_cast<Index>(w), n) =
              rows.slopes[w].row(k * outputs + i).tail(n);
        }
      }
    }
  }
  std::erase_if(blocks, [](const optimize::ColouredBlock& block) {
    return block.residual.array().isNaN().all();
  });
  return blocks;
}

// What windows hold against the data, one piece each.
std::vector<optimize::DataPiece> pieces_of(const std::vector<RecordWindow>& windows,
                                           const WindowRows& rows) {
  std::vector<optimize::DataPiece> pieces;
  for (std::size_t w = 0; w < windows.size(); ++w) {
    pieces.push_back({.experiment = static_cast<int>(windows[w].record),
                      .first = static_cast<Index>(windows[w].first),
                      .count = rows.residuals[w].rows()});
  }
  return pieces;
}

// Priors of the kept parameters; ties are not followed, as in the search over windows.
void add_window_priors(const optimize::Transformation& map, const VectorXd& theta,
                       const KeptParameters& kept, FittedColumns& columns) {
  columns.prior.resize(0, static_cast<Index>(kept.names.size()));
  for (std::size_t j = 0; j < kept.places.size(); ++j) {
    const Index k = map.parameter_of(kept.places[j]);
    const auto& prior = map.parameters()[static_cast<std::size_t>(k)].prior;
    if (!prior) continue;
    columns.prior.conservativeResize(columns.prior.rows() + 1, columns.prior.cols());
    columns.prior.bottomRows(1).setZero();
    columns.prior(columns.prior.rows() - 1, static_cast<Index>(j)) = 1.0 / prior->deviation;
    columns.cost += std::pow((theta(k) - prior->mean) / prior->deviation, 2);
    columns.count += 1;
  }
}

Index measured_samples_of(const std::vector<EquationRecord>& records) {
  Index count = 0;
  for (const EquationRecord& record : records) {
    const MatrixXd& y = record.experiment().output;
    count += y.size() - y.array().isNaN().count();
  }
  return count;
}

// Whether the start of a record moves with a parameter.
bool acts_at_start(const model::CompiledEquations& model,
                   const std::vector<EquationRecord>& records, const VectorXd& theta,
                   Index parameter) {
  model::EquationEvaluator evaluator(model);
  evaluator.set_parameters({theta.data(), static_cast<std::size_t>(theta.size())});
  model::EquationJacobians start = evaluator.start_jacobians();
  const auto states = static_cast<std::ptrdiff_t>(start.values.size());
  return std::any_of(records.begin(), records.end(), [&](const EquationRecord& record) {
    start_of(record, evaluator, start);
    const auto column = start.by_parameter.begin() + parameter * states;
    return std::any_of(column, column + states, [](double slope) { return slope != 0.0; });
  });
}

}  // namespace

void find_window_statistics(const model::CompiledEquations& model,
                            const std::vector<EquationRecord>& records,
                            const std::vector<optimize::Parameter>& parameters,
                            const OutputErrorOptions& options, const WindowEstimate& estimate,
                            OutputErrorResult& result) {
  const optimize::Transformation map(parameters);
  WindowProblem problem(model, records, map, result.weights, options.simulation.start);
  problem.set_windows(estimate.windows);
  WindowPoint point = estimate.point;
  WindowRows rows;
  if (!problem.evaluate(point) || !linearise_windows(problem, point, rows)) {
    static_cast<Outcome&>(result.statistics) = {Status::NotFinite, "a window cannot be simulated"};
    return;
  }
  const VectorXd squares = rows.squares(map.free_size());
  const KeptParameters kept = kept_parameters(
      map, point.theta, squares, result.at_bound,
      [&](Index parameter) { return acts_at_start(model, records, point.theta, parameter); });
  if (!kept.at_start.empty()) {
    result.note +=
        fmt::format("; {} act{} at the start of the records alone and {} no estimate by windows",
                    fmt::join(kept.at_start, ", "), kept.at_start.size() == 1 ? "s" : "",
                    kept.at_start.size() == 1 ? "has" : "have");
  }
  result.statistics.held = result.at_bound;
  if (kept.names.empty()) {
    static_cast<Outcome&>(result.statistics) = {
        Status::NotIdentifiable, "every free parameter ended at a bound; widen the bounds"};
    return;
  }
  FittedColumns columns;
  columns.names = kept.names;
  columns.values = kept.values;
  columns.states_asked = false;
  columns.cost = point.misfit;
  columns.count =
      measured_samples_of(records) - problem.states() * static_cast<Index>(estimate.windows.size());
  add_window_priors(map, point.theta, kept, columns);
  const Index all = static_cast<Index>(kept.names.size()) +
                    problem.states() * static_cast<Index>(estimate.windows.size());
  columns.states_missing = all > kMostColumns;
  if (!eliminate_states(rows, kept, columns.prior, columns.states_missing, columns.factor)) {
    static_cast<Outcome&>(result.statistics) = {
        Status::NotIdentifiable, "the outputs do not show the start states of the windows"};
    return;
  }
  columns.blocks = window_blocks(records, estimate.windows, rows, kept, !columns.states_missing);
  columns.pieces = pieces_of(estimate.windows, rows);
  judge_columns(columns, result);
}

WindowColumns window_columns(const model::CompiledEquations& model,
                             const std::vector<EquationRecord>& records,
                             const std::vector<optimize::Parameter>& parameters,
                             const OutputErrorOptions& options, const WindowEstimate& estimate,
                             const VectorXd& weights, bool with_states) {
  const optimize::Transformation map(parameters);
  WindowProblem problem(model, records, map, weights, options.simulation.start);
  problem.set_windows(estimate.windows);
  WindowPoint point = estimate.point;
  WindowRows rows;
  if (!problem.evaluate(point) || !linearise_windows(problem, point, rows)) return {};
  const KeptParameters kept = kept_parameters(
      map, point.theta, rows.squares(map.free_size()), {},
      [&](Index parameter) { return acts_at_start(model, records, point.theta, parameter); });
  const MatrixXd no_prior(0, static_cast<Index>(kept.names.size()));
  MatrixXd factor;
  if (!eliminate_states(rows, kept, no_prior, !with_states, factor)) return {};
  return {kept.names, window_blocks(records, estimate.windows, rows, kept, with_states)};
}

}  // namespace alembert::identify
