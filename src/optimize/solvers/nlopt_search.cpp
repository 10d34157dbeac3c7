#include <fmt/format.h>
#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <vector>

#include "optimize/solvers/solvers.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kFirstStep = 0.5;

struct DestroyNlopt {
  void operator()(nlopt_opt_s* optimiser) const { nlopt_destroy(optimiser); }
};
using Nlopt = std::unique_ptr<nlopt_opt_s, DestroyNlopt>;

nlopt_algorithm algorithm_of(Solver solver) {
  switch (solver) {
    case Solver::Sbplx:
      return NLOPT_LN_SBPLX;
    case Solver::Bobyqa:
      return NLOPT_LN_BOBYQA;
    default:
      return NLOPT_LN_NELDERMEAD;
  }
}

// What the callback needs. Exceptions must not cross NLopt's C frames: they wait here.
struct Call {
  Evaluator& evaluator;
  nlopt_opt optimiser = nullptr;
  bool finite_only = false;
  double worst = -kInfinity;  // largest finite cost seen
  VectorXd x = {};
  std::exception_ptr error = {};
};

// BOBYQA interpolates the cost, and an infinity would spoil its model: it gets a wall that is
// higher than all that was seen, but of the same order.
double wall(const Call& call) {
  const double best = call.evaluator.best_cost();
  return call.worst + 10.0 * (call.worst - best) + std::abs(best) + 1e-300;
}

double evaluate(unsigned size, const double* values, double* /*gradient*/, void* data) {
  Call& call = *static_cast<Call*>(data);
  call.x = Eigen::Map<const VectorXd>(values, static_cast<Index>(size));
  double cost = kInfinity;
  try {
    cost = call.evaluator.cost(call.x);
    if (call.evaluator.finished()) nlopt_force_stop(call.optimiser);
  } catch (...) {
    call.error = std::current_exception();
    nlopt_force_stop(call.optimiser);
  }
  if (std::isfinite(cost)) call.worst = std::max(call.worst, cost);
  return std::isfinite(cost) || !call.finite_only ? cost : wall(call);
}

// Steps that lead away from the nearer bound and fit between both.
std::vector<double> steps_from(const VectorXd& x, const Transformation& map, double step) {
  std::vector<double> steps;
  for (Index j = 0; j < x.size(); ++j) {
    const double below = x(j) - map.lower()(j);
    const double above = map.upper()(j) - x(j);
    const double room = std::max(above, below);
    const double length = std::min(std::abs(step), 0.5 * room);
    const bool up = step > 0.0 ? above >= length : below < length;
    steps.push_back(up ? length : -length);
  }
  return steps;
}

Nlopt make_optimiser(const Evaluator& evaluator, const std::vector<double>& steps) {
  const MinimiseOptions& options = evaluator.options();
  Nlopt optimiser(nlopt_create(algorithm_of(options.solver), static_cast<unsigned>(steps.size())));
  nlopt_set_lower_bounds(optimiser.get(), evaluator.map().lower().data());
  nlopt_set_upper_bounds(optimiser.get(), evaluator.map().upper().data());
  nlopt_set_initial_step(optimiser.get(), steps.data());
  // A small gain means nothing to BOBYQA before its trust region is small: it would end at a kink.
  const double small = std::max(options.cost_tolerance, evaluator.noise_part());
  nlopt_set_ftol_rel(optimiser.get(), options.solver == Solver::Bobyqa ? 0.0 : small);
  nlopt_set_xtol_abs1(optimiser.get(), options.step_tolerance);
  // Ours count; this is the net below them.
  nlopt_set_maxeval(optimiser.get(),
                    static_cast<int>(std::min(evaluator.evaluations_left() + 1, 2000000000L)));
  return optimiser;
}

// One search from the best point so far.
nlopt_result search_once(Evaluator& evaluator, Call& call, double step) {
  VectorXd x = evaluator.best();
  const Nlopt optimiser = make_optimiser(evaluator, steps_from(x, evaluator.map(), step));
  call.optimiser = optimiser.get();
  nlopt_set_min_objective(optimiser.get(), evaluate, &call);
  double cost = kInfinity;
  const nlopt_result code = nlopt_optimize(optimiser.get(), x.data(), &cost);
  if (call.error) std::rethrow_exception(call.error);
  return code;
}

// Rounding can end a search that has arrived; the restarts say whether it had.
bool ended_well(nlopt_result code) {
  return code == NLOPT_SUCCESS || code == NLOPT_FTOL_REACHED || code == NLOPT_XTOL_REACHED ||
         code == NLOPT_ROUNDOFF_LIMITED || code == NLOPT_STOPVAL_REACHED;
}

Outcome outcome_of(const Evaluator& evaluator, nlopt_result code) {
  if (ended_well(code)) return {};
  return {Status::NotConverged,
          fmt::format("{} ended early ({}); try mads", to_string(evaluator.options().solver),
                      nlopt_result_to_string(code))};
}

}  // namespace

Search search_nlopt(Evaluator& evaluator) {
  const MinimiseOptions& options = evaluator.options();
  Call call{.evaluator = evaluator, .finite_only = options.solver == Solver::Bobyqa};
  double step = options.first_step > 0.0 ? options.first_step : kFirstStep;
  const double first = evaluator.cost(evaluator.best());
  // BOBYQA cannot leave an infeasible guess; a simplex may.
  if (call.finite_only && !std::isfinite(first)) return {{Status::NotFinite, {}}, 0};
  call.worst = std::isfinite(first) ? first : call.worst;

  Search search;
  for (;; ++search.restarts) {
    const double before = evaluator.best_cost();
    search.outcome = outcome_of(evaluator, search_once(evaluator, call, step));
    if (evaluator.finished()) {
      search.outcome = {Status::NotConverged, {}};
      break;
    }
    const bool in_vain = search.restarts > 0 && !worth_a_restart(before, evaluator, first);
    if (in_vain || search.restarts == options.max_restarts) break;
    step = -step;  // the next simplex opens to the other side
  }
  return search;
}

}  // namespace alembert::optimize
