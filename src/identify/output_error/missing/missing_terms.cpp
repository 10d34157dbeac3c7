#include "identify/output_error/missing/missing_terms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"
#include "alembert/model/detail/added_terms.hpp"
#include "alembert/optimize/transformation.hpp"
#include "core/mapped.hpp"
#include "identify/output_error/equation_residuals.hpp"
#include "identify/output_error/missing/possible_terms.hpp"
#include "identify/output_error/missing/term_test.hpp"
#include "identify/output_error/statistics/statistics.hpp"
#include "identify/output_error/window_result.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::AddedTerm;

// Up to so many start states have columns of their own; of more the columns of the others lose
// their part in them, which leaves the noise much as it is.
constexpr Index kMostStarts = 24;

// What the fit was made of.
struct FittedModel {
  const model::CompiledEquations& model;
  const std::vector<EquationRecord>& records;
  const std::vector<optimize::Parameter>& parameters;
  const OutputErrorOptions& options;
  const WindowEstimate* windows;
};

// All samples of all records, row by row.
struct FollowedMotion {
  MatrixXd states, slopes, inputs;
};

Index samples_of(const std::vector<EquationRecord>& records) {
  Index count = 0;
  for (const EquationRecord& record : records) count += record.experiment().samples();
  return count;
}

// States and their derivatives of one window, from row `first` on; false if it cannot be simulated.
bool follow_window(const FittedModel& fitted, const RecordWindow& window, const double* start,
                   Index first, WindowProblem& problem, model::EquationEvaluator& evaluator,
                   FollowedMotion& motion) {
  if (!problem.simulate(window, start)) return false;
  const Experiment& data = fitted.records[window.record].experiment();
  VectorXd slope(problem.states());
  for (std::size_t k = 0; k < window.samples; ++k) {
    const auto sample = static_cast<Index>(window.first + k);
    const Index row = first + static_cast<Index>(k);
    if (sample >= data.samples() || row >= motion.states.rows()) break;
    const VectorXd u = data.input.row(sample);
    const double t = data.start_time + static_cast<double>(sample) * data.step;
    evaluator.derivatives(t, problem.state(k), u.data(), slope.data());
    motion.states.row(row) = Eigen::Map<const VectorXd>(problem.state(k), slope.size());
    motion.slopes.row(row) = slope;
    if (u.size() > 0) motion.inputs.row(row) = u;
  }
  return true;
}

// The motion of the estimate; nothing if it cannot be simulated.
FollowedMotion motion_of(const FittedModel& fitted, const OutputErrorResult& result) {
  const optimize::Transformation map(fitted.parameters);
  WindowProblem problem(fitted.model, fitted.records, map, result.weights, StartState::Model);
  problem.set_windows(fitted.windows != nullptr
                          ? fitted.windows->windows
                          : cut_records(fitted.records, std::numeric_limits<std::size_t>::max()));
  const MatrixXd& starts =
      fitted.windows != nullptr ? fitted.windows->point.states : result.prediction.starts;
  if (starts.cols() != static_cast<Index>(problem.windows().size()) || !starts.allFinite()) {
    return {};
  }
  const VectorXd& theta = result.parameters;
  problem.set_parameters(theta);
  model::EquationEvaluator evaluator(fitted.model);
  evaluator.set_parameters({theta.data(), static_cast<std::size_t>(theta.size())});
  const Index rows = samples_of(fitted.records);
  const Experiment& one = fitted.records.front().experiment();
  FollowedMotion motion{MatrixXd::Zero(rows, problem.states()),
                        MatrixXd::Zero(rows, problem.states()),
                        MatrixXd::Zero(rows, one.input.cols())};
  Index first = 0;
  for (std::size_t w = 0; w < problem.windows().size(); ++w) {
    const RecordWindow& window = problem.windows()[w];
    if (!follow_window(fitted, window, starts.col(static_cast<Index>(w)).data(), first, problem,
                       evaluator, motion)) {
      return {};
    }
    first += static_cast<Index>(window.samples);
  }
  return motion.states.allFinite() && motion.slopes.allFinite() ? motion : FollowedMotion{};
}

std::vector<optimize::Parameter> with_coefficients(std::vector<optimize::Parameter> parameters,
                                                   const model::EquationModel& wider) {
  for (std::size_t j = parameters.size(); j < wider.parameters().size(); ++j) {
    parameters.push_back({.name = wider.parameters()[j], .guess = 0.0});
  }
  return parameters;
}

VectorXd with_zeros(const VectorXd& theta, std::size_t count) {
  VectorXd wider = VectorXd::Zero(static_cast<Index>(count));
  wider.head(theta.size()) = theta;
  return wider;
}

void add_priors(const std::vector<optimize::Parameter>& parameters, const VectorXd& theta,
                TermColumns& columns) {
  const MatrixXd chain = chain_of(columns.names, parameters);
  columns.prior.resize(0, chain.cols());
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (!parameters[k].prior) continue;
    const auto row = static_cast<Index>(k);
    const optimize::Prior& prior = *parameters[k].prior;
    columns.prior.conservativeResize(columns.prior.rows() + 1, chain.cols());
    columns.prior.bottomRows(1) = chain.row(row) / prior.deviation;
    columns.prior_residual.conservativeResize(columns.prior.rows());
    columns.prior_residual(columns.prior.rows() - 1) = (theta(row) - prior.mean) / prior.deviation;
  }
}

// Residuals with their derivatives by the free parameters and the coefficients of the terms.
TermColumns columns_of(const FittedModel& fitted, const model::CompiledEquations& wider,
                       const OutputErrorResult& result) {
  const std::vector<optimize::Parameter> more = with_coefficients(fitted.parameters, wider.model());
  const auto terms = static_cast<Index>(more.size() - fitted.parameters.size());
  TermColumns columns;
  std::vector<std::string> names;
  if (fitted.windows != nullptr) {
    WindowEstimate estimate = *fitted.windows;
    estimate.point.theta = with_zeros(estimate.point.theta, more.size());
    const Index starts = estimate.point.states.size();
    WindowColumns found = window_columns(wider, fitted.records, more, fitted.options, estimate,
                                         result.weights, starts <= kMostStarts);
    names = std::move(found.names);
    columns.blocks = std::move(found.blocks);
  } else {
    names = fitted_names(more, {});
    EquationResiduals residuals(wider, fitted.records, fitted.options.simulation.start,
                                result.weights);
    columns.blocks =
        residuals.blocks(with_zeros(result.parameters, more.size()), chain_of(names, more),
                         residuals.start_count() <= kMostStarts);
  }
  if (columns.blocks.empty() || static_cast<Index>(names.size()) < terms) return {};
  columns.terms = terms;
  names.resize(names.size() - static_cast<std::size_t>(terms));
  columns.names = std::move(names);
  columns.deviations = told_deviations(columns.names, result);
  columns.weighed = are_weighed(fitted.records);
  add_priors(fitted.parameters, result.parameters, columns);
  return columns;
}

double rms_of_term(const AddedTerm& term, const FollowedMotion& motion) {
  const MatrixXd& from = term.of_input ? motion.inputs : motion.states;
  double sum = 0.0;
  for (Index k = 0; k < motion.states.rows(); ++k) {
    const double z =
        term.form == model::TermForm::Constant ? 0.0 : from(k, static_cast<Index>(term.argument));
    sum += std::pow(model::term_value(term, z), 2);
  }
  return std::sqrt(sum / static_cast<double>(motion.states.rows()));
}

UnmodelledTerm described(const FoundTerm& found, const model::EquationModel& model,
                         const AddedTerm& term, const FollowedMotion& motion) {
  UnmodelledTerm one = found.term;
  one.equation = model.states()[term.equation] + "'";
  one.text = model::term_text(model, term);
  const auto slope = motion.slopes.col(static_cast<Index>(term.equation));
  const double size = std::sqrt(slope.squaredNorm() / static_cast<double>(slope.size()));
  if (size > 0.0) one.share = std::abs(one.coefficient) * rms_of_term(term, motion) / size;
  return one;
}

bool all_finite(const TermColumns& columns) {
  return std::all_of(
      columns.blocks.begin(), columns.blocks.end(),
      [](const optimize::ColouredBlock& block) { return block.jacobian.allFinite(); });
}

void look_for_terms(const FittedModel& fitted, OutputErrorResult& result) {
  const model::EquationModel& model = fitted.model.model();
  const FollowedMotion motion = motion_of(fitted, result);
  if (motion.states.size() == 0) return;
  const std::vector<AddedTerm> terms = possible_terms(model, motion.states, motion.inputs);
  if (terms.empty()) return;
  // One run is too little work to compile for.
  const model::CompiledEquations wider(model::with_terms(model, terms),
                                       {.kind = model::EngineKind::Interpreter});
  const TermColumns columns = columns_of(fitted, wider, result);
  if (columns.blocks.empty() || !all_finite(columns)) return;
  for (const FoundTerm& found : test_terms(columns)) {
    const AddedTerm& term = terms[static_cast<std::size_t>(found.place)];
    result.missing_terms.push_back(described(found, model, term, motion));
  }
}

}  // namespace

void find_missing_terms(const model::CompiledEquations& model,
                        const std::vector<EquationRecord>& records,
                        const std::vector<optimize::Parameter>& parameters,
                        const OutputErrorOptions& options, const WindowEstimate* windows,
                        OutputErrorResult& result) {
  // Derivatives that miss jumps say nothing, nor do those of a motion that rounding decides.
  const bool known = result.coloured.deviations.size() > 0 && result.trusted().rank > 0;
  if (!options.missing_terms || result.jumps || !known || model.model().states().empty()) return;
  try {
    look_for_terms({model, records, parameters, options, windows}, result);
  } catch (const optimize::Infeasible&) {
    result.missing_terms.clear();
  } catch (const InvalidInput&) {
    result.missing_terms.clear();  // the model with its terms has outgrown the limits
  }
}

}  // namespace alembert::identify
