#include "alembert/study/reproduce_discretisation.hpp"

#include <algorithm>

#include "alembert/core/check.hpp"
#include "alembert/model/published_systems.hpp"
#include "study/discretisation_parts.hpp"

namespace alembert::study {

namespace {

// The range of the published study, and what lies far outside of it.
constexpr double kPublishedSteps[] = {1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2};
constexpr double kAllSteps[] = {1e-3, 1e-2, 5e-2, 1.0, 1e2, 1e4, 1e6};

bool stopped(const DiscretisationOptions& options, DiscretisationResult& result) {
  if (options.stop == nullptr || !options.stop->requested()) {
    return false;
  }
  result.status = Status::Stopped;
  result.message = "stopped between two parts; the claims of the missing ones are missing";
  return true;
}

void measure(const TestSystem& test, const DiscretisationOptions& options,
             DiscretisationResult& result) {
  const std::vector<IntegratorConvergence> orders = measure_orders(test, options.rungs);
  result.convergence.insert(result.convergence.end(), orders.begin(), orders.end());
  for (const double step : kPublishedSteps) {
    result.round_trip.push_back(measure_round_trip(test, step));
    result.tustin.push_back(measure_tustin(test, step, options.circle_points));
  }
  for (const double step : kAllSteps) {
    result.passivity.push_back(measure_passivity(test, step, options.circle_points));
  }
}

}  // namespace

DiscretisationResult reproduce_discretisation(const DiscretisationOptions& options) {
  check::at_least("reproduce_discretisation", "rungs", options.rungs, 3);
  check::at_least("reproduce_discretisation", "long_run", options.long_run, 100);
  check::at_least("reproduce_discretisation", "circle_points", options.circle_points, 8);
  const TestSystem frame{"frame-8dof", model::frame_8dof(), 2.4};
  const TestSystem small{"coupled-3dof", model::coupled_3dof(), 20.0};
  DiscretisationResult result;
  for (const TestSystem& test : {frame, small}) {
    if (!stopped(options, result)) {
      measure(test, options, result);
    }
  }
  // ω_max h = 0.2
  if (result.ok() && !stopped(options, result)) {
    result.energy = measure_energy(frame, 0.01, options.long_run);
  }
  result.claims = discretisation_claims(result);
  return result;
}

Reproduction run_discretisation(const ReproduceOptions& options) {
  DiscretisationOptions size{.stop = options.parallel.stop};
  if (options.full) {
    size.rungs = 7;
    size.long_run = 1'000'000;
    size.circle_points = 1000;
  }
  return to_reproduction(reproduce_discretisation(size));
}

}  // namespace alembert::study
