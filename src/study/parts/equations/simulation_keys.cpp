#include "study/parts/equations/simulation_keys.hpp"

#include <fmt/format.h>

namespace alembert::study {
namespace {

using identify::Integrator;
using identify::SimulationOptions;

void check_integrator(const TableReader& table, const SimulationOptions& options) {
  if (options.integrator == Integrator::Stiff && !integrate::has_stiff_integrator()) {
    table.fail("integrator", "= \"stiff\" needs SUNDIALS, without which this program was built");
  }
  if (options.events && options.integrator != Integrator::DormandPrince) {
    table.fail("events", "= true needs integrator = \"dormand-prince\"");
  }
}

}  // namespace

const BoundKeys<model::EngineOptions>& engine_keys() {
  static const auto keys = BoundKeys<model::EngineOptions>().key(
      "engine", &model::EngineOptions::kind,
      {.help = "how the equations are computed; both engines give the same numbers"});
  return keys;
}

BoundKeys<SimulationOptions> simulation_keys(Eigen::Index substeps) {
  return BoundKeys<SimulationOptions>({.substeps = substeps})
      .key("between", &SimulationOptions::between,
           {.help = "the inputs between samples; band-limited takes each record for one period"})
      .key("start", &SimulationOptions::start,
           {.help =
                "first state of each experiment: as [model.start] says; free, fitted to it; data, "
                "outputs that are states from their first sample; or the steady state of a "
                "periodic record"})
      .key("integrator", &SimulationOptions::integrator,
           {.help = "how the equations are integrated; see theory/output-error.md"})
      .key("relative-tolerance", &SimulationOptions::relative_tolerance,
           {.help = "error of a step over the size of the states, for dormand-prince and stiff",
            .range = within(1e-13, 0.1),
            .fallback_note = "1e-8; stiff: 1e-10"})
      .key("absolute-tolerance", &SimulationOptions::absolute_tolerance,
           {.help = "error of a step below which the size of a state does not matter, the same",
            .range = above(0.0),
            .fallback_note = "1e-12"})
      .key("events", &SimulationOptions::events,
           {.help = "dormand-prince ends its steps at kinks of the equations"})
      .key("substeps", &SimulationOptions::substeps,
           {.help = "steps per sample of runge-kutta and newmark", .range = within(1.0, 10000.0)})
      .others(engine_keys().specs());
}

SimulationOptions read_simulation_options(const TableReader& table, Eigen::Index substeps) {
  const BoundKeys<SimulationOptions> keys = simulation_keys(substeps);
  SimulationOptions options = keys.read(table);
  check_integrator(table, options);
  if (options.between == signal::BetweenSamples::BandLimited &&
      options.start != identify::StartState::Periodic) {
    table.fail("between",
               fmt::format("= \"band-limited\" takes each record for one period; set {} = "
                           "\"periodic\" with it",
                           table.name("start")));
  }
  return options;
}

model::EngineKind read_engine(const TableReader& table) { return engine_keys().read(table).kind; }

}  // namespace alembert::study
