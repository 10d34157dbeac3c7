#include "identify/mechanism/missing_forces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/not_a_number.hpp"
#include "alembert/optimize/objective.hpp"
#include "identify/output_error/function_residuals.hpp"
#include "identify/output_error/missing/possible_terms.hpp"
#include "identify/output_error/missing/term_test.hpp"
#include "identify/output_error/statistics/statistics.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::AddedTerm;
using model::TermForm;

// z, z' and M z'' at all samples of all experiments, row by row.
struct Moved {
  MatrixXd state;  // z, then z'
  MatrixXd inertia;
};

// M z'' along a path that was simulated; false if the mechanism cannot follow it.
bool add_path(const model::planar::Mechanism& mechanism, const VectorXd& lengths,
              const model::planar::CoordinatePath& path, Moved& moved) {
  const Index n = path.z.cols(), first = moved.state.rows(), count = path.z.rows();
  moved.state.conservativeResize(first + count, 2 * n);
  moved.inertia.conservativeResize(first + count, n);
  model::planar::MechanismState state = mechanism.make_state();
  model::planar::ReducedDynamics dynamics = mechanism.make_dynamics();
  state.p = lengths;
  if (!mechanism.assemble(path.z.row(0).transpose(), state).ok()) return false;
  for (Index k = 0; k < count; ++k) {
    const VectorXd z = path.z.row(k), zd = path.zd.row(k);
    const auto size = static_cast<std::size_t>(n);
    if (mechanism.solve_position({z.data(), size}, state) != model::planar::StepStatus::Success) {
      return false;
    }
    mechanism.solve_velocity({zd.data(), size}, state);
    mechanism.reduced_dynamics(state, dynamics);
    moved.state.row(first + k) << z.transpose(), zd.transpose();
    moved.inertia.row(first + k) = (dynamics.M * path.zdd.row(k).transpose()).transpose();
  }
  return true;
}

// The motion of the estimate; empty if it cannot be simulated.
Moved motion_of(const MechanismProblem& problem, const VectorXd& theta) {
  const MechanismValues values =
      with_parameters(values_of(problem.description()), problem.names(),
                      theta.head(static_cast<Index>(problem.names().size())));
  const model::planar::Mechanism mechanism(values.description);
  Moved moved;
  for (std::size_t e = 0; e < problem.data().size(); ++e) {
    const MechanismRun run = problem.run(theta, e, problem.substeps());
    if (!run.ok() || !add_path(mechanism, values.lengths, run.path, moved)) return {};
  }
  return moved.state.allFinite() && moved.inertia.allFinite() ? moved : Moved{};
}

double rms_along(const Eigen::Ref<const VectorXd>& values) {
  return std::sqrt(values.squaredNorm() / static_cast<double>(values.size()));
}

std::vector<AddedTerm> forces_of(const Moved& moved) {
  const auto n = static_cast<std::size_t>(moved.inertia.cols());
  std::vector<AddedTerm> terms;
  for (std::size_t i = 0; i < n; ++i) {
    const auto add = [&](TermForm form, std::size_t of, double width = 0.0) {
      terms.push_back({.equation = i, .form = form, .argument = of, .width = width});
    };
    add(TermForm::Constant, i);
    if (!(rms_along(moved.state.col(static_cast<Index>(n + i))) > 0.0)) continue;
    add(TermForm::SmoothSign, n + i, friction_width(moved.state.col(static_cast<Index>(n + i))));
    for (const TermForm form : {TermForm::Linear, TermForm::Drag}) add(form, n + i);
    for (const TermForm form : {TermForm::Linear, TermForm::Square, TermForm::Cube}) add(form, i);
  }
  return terms;
}

double rms_of_term(const AddedTerm& term, const Moved& moved) {
  VectorXd values = moved.state.col(static_cast<Index>(term.argument));
  for (double& value : values) value = model::term_value(term, value);
  return rms_along(values);
}

// Coefficients that make each term as large as M z'' of its coordinate.
VectorXd scales_of(const std::vector<AddedTerm>& terms, const Moved& moved) {
  VectorXd scales(static_cast<Index>(terms.size()));
  for (std::size_t j = 0; j < terms.size(); ++j) {
    const double size = rms_along(moved.inertia.col(static_cast<Index>(terms[j].equation)));
    scales(static_cast<Index>(j)) = (size > 0.0 ? size : 1.0) / rms_of_term(terms[j], moved);
  }
  return scales;
}

// The simulation with forces that the description has not. The derivatives by their coefficients
// are central differences about 0, where the readings are all but linear in them.
class AddedForces {
 public:
  AddedForces(const MechanismProblem& problem, const std::vector<AddedTerm>& terms,
              const VectorXd& scales)
      : problem_(problem), terms_(terms), scales_(scales) {}

  [[nodiscard]] MatrixXd values(const VectorXd& theta, const Experiment& experiment) const {
    const Index own = theta.size() - scales_.size();
    return problem_.readings(theta.head(own), place_of(experiment), problem_.substeps(),
                             {terms_, theta.tail(scales_.size()).cwiseProduct(scales_)});
  }

  [[nodiscard]] std::vector<MatrixXd> slopes(const VectorXd& theta,
                                             const Experiment& experiment) const {
    const Index own = theta.size() - scales_.size();
    std::vector<MatrixXd> columns = problem_.slopes(theta.head(own), place_of(experiment));
    for (Index j = own; j < theta.size(); ++j) {
      VectorXd up = theta, down = theta;
      up(j) += kStep;
      down(j) -= kStep;
      columns.push_back((values(up, experiment) - values(down, experiment)) / (2.0 * kStep));
    }
    return columns;
  }

 private:
  static constexpr double kStep = 6e-6;  // of forces as large as M z'': cube root of rounding

  [[nodiscard]] std::size_t place_of(const Experiment& experiment) const {
    return static_cast<std::size_t>(&experiment - problem_.data().data());
  }

  const MechanismProblem& problem_;
  const std::vector<AddedTerm>& terms_;
  const VectorXd& scales_;
};

// Residuals with their derivatives by the free parameters and the scaled coefficients.
TermColumns columns_of(const MechanismProblem& problem, const std::vector<AddedTerm>& terms,
                       const VectorXd& scales, const OutputErrorResult& estimate) {
  std::vector<optimize::Parameter> more = problem.parameters();
  for (std::size_t j = 0; j < terms.size(); ++j) {
    more.push_back({.name = fmt::format("force {}", j + 1), .guess = 0.0});
  }
  const AddedForces forces(problem, terms, scales);
  const ExactSimulation simulation{
      .values = [&](const VectorXd& theta,
                    const Experiment& one) { return forces.values(theta, one); },
      .slopes = [&](const VectorXd& theta,
                    const Experiment& one) { return forces.slopes(theta, one); }};
  VectorXd theta = VectorXd::Zero(static_cast<Index>(more.size()));
  theta.head(estimate.parameters.size()) = estimate.parameters;
  std::vector<std::string> names = fitted_names(more, {});
  const FunctionResiduals residuals(simulation, more, problem.data(), estimate.weights, 0.0);
  TermColumns columns;
  columns.blocks = residuals.blocks(theta, chain_of(names, more));
  columns.terms = scales.size();
  names.resize(names.size() - terms.size());
  columns.names = std::move(names);
  columns.deviations = told_deviations(columns.names, estimate);
  return columns;
}

UnmodelledTerm described(const FoundTerm& found, const MechanismProblem& problem,
                         const AddedTerm& term, double scale, const Moved& moved) {
  const auto& coordinates = problem.description().coordinates;
  const std::string name = to_string(coordinates[term.equation]);
  UnmodelledTerm one = found.term;
  one.coefficient *= scale;
  one.deviation *= scale;
  one.equation = "force on " + name;
  one.text = model::term_text(term, term.argument < coordinates.size() ? name : name + "'");
  const double size = rms_along(moved.inertia.col(static_cast<Index>(term.equation)));
  if (size > 0.0) one.share = std::abs(one.coefficient) * rms_of_term(term, moved) / size;
  return one;
}

}  // namespace

void find_missing_forces(const MechanismProblem& problem, const MechanismFitOptions& options,
                         MechanismFit& fit) {
  OutputErrorResult& estimate = fit.estimate;
  const StopFlag* stop = options.search.stop;
  const bool stopped = stop != nullptr && stop->requested();
  if (!fit.has_prediction() || stopped || estimate.coloured.deviations.size() == 0) return;
  try {
    const Moved moved = motion_of(problem, estimate.parameters);
    if (moved.state.size() == 0) return;
    const std::vector<AddedTerm> terms = forces_of(moved);
    const VectorXd scales = scales_of(terms, moved);
    if (!scales.allFinite()) return;
    const TermColumns columns = columns_of(problem, terms, scales, estimate);
    for (const FoundTerm& found : test_terms(columns)) {
      const auto place = static_cast<std::size_t>(found.place);
      estimate.missing_terms.push_back(
          described(found, problem, terms[place], scales(found.place), moved));
    }
  } catch (const optimize::Infeasible&) {
    estimate.missing_terms.clear();
  }
}

}  // namespace alembert::identify
