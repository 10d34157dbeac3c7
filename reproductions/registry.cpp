#include "reproductions/registry.hpp"

#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "reproductions/acceleration/acceleration.hpp"
#include "reproductions/bouc_wen/bouc_wen.hpp"
#include "reproductions/discretisation/discretisation.hpp"
#include "reproductions/equation_coverage/equation_coverage.hpp"
#include "reproductions/excavator/excavator.hpp"
#include "reproductions/manipulator/manipulator.hpp"
#include "reproductions/measured_modes/measured_modes.hpp"
#include "reproductions/real_records/real_records.hpp"
#include "reproductions/reduction/reduction.hpp"
#include "reproductions/simulated_modes/simulated_modes.hpp"
#include "reproductions/slider_crank/slider_crank.hpp"
#include "reproductions/slider_crank_force/slider_crank_force.hpp"
#include "reproductions/tanks/tanks.hpp"
#include "reproductions/two_link/two_link.hpp"
#include "reproductions/variational/variational.hpp"

namespace alembert::reproductions {

const std::vector<ReproductionEntry>& reproductions() {
  static const std::vector<ReproductionEntry> entries = {
      // clang-format off
      {"discretisation", "orders, round trip, Tustin equality, passivity and energy of integrators", discretisation::run},
#ifdef ALEMBERT_ALL_REPRODUCTIONS
      {"variational-8dof", "M, D, K of the frame: published method, its rival, ours, the bound", variational::run_eight_dof},
      {"variational-3dof", "the same for the system with 3 degrees of freedom", variational::run_three_dof},
      {"large-step", "the bias of the midpoint rule at large steps, and its cure", variational::run_large_step},
      {"start-sensitivity", "refinement from perturbed starts: how often it fails", variational::run_start_sensitivity},
      {"interval-coverage", "how often the 95 % intervals of M, D, K hold", variational::run_interval_coverage},
      {"partial-sensing", "M, D, K from fewer sensors than degrees of freedom", variational::run_partial_sensing},
      {"random-systems", "random systems: convergence and error against the bound", variational::run_random_systems},
      {"tanks", "cascaded tanks: published parameters, five solvers, better models (needs --data)", tanks::run},
      {"equation-coverage", "how often the 95 % intervals of equation parameters hold", equation_coverage::run},
      {"bouc-wen", "Bouc-Wen hysteresis: parameters, what the data cannot see (needs --data)", bouc_wen::run},
      {"duffing", "Duffing oscillator from its acceleration: the published tables, bias, cure", acceleration::run_duffing},
      {"friction-terms", "dry friction, drag, quintic stiffness from 2 to 10 cycles, 60 to 20 dB", acceleration::run_friction_terms},
      {"slider-crank", "observers of a slider-crank: accelerometer as input or as output", slider_crank::run},
      {"slider-crank-force", "the force on a slider: two stages, one stage and the joint form, tuned alike", slider_crank_force::run},
      {"excavator", "digging force and payload of an excavator, with an alarm on the pull of the soil", excavator::run},
      {"bar-horn", "small models of a plane horn: ranked interior modes, truncation error, sizes", reduction::run_bar_horn},
      {"manipulator-modes", "a manipulator with flexible links: modes of two variants, energy, a driven run", manipulator::run_modes},
      {"modes", "modes of simulated impact, shaker and ambient tests: errors against deviations", simulated_modes::run},
      {"vibratory-feeder", "small models of 30 random feeders for forces at 50 and 100 Hz", reduction::run_feeder},
      {"sonotrode", "small models of a solid horn driven near its first longitudinal mode", reduction::run_sonotrode},
      {"manipulator-reduction", "a manipulator with flexible links: small models of 13 coordinates over its workspace", manipulator::run_reduction},
      {"manipulator-updating", "its parameters from measured modes: the published convex program, ours, a held-out mode", manipulator::run_updating},
      {"measured-modes", "modes and state-space models of six public measured records (needs --data)", measured_modes::run},
      {"real-records", "public measured records from their files as they are (needs --data)", real_records::run},
      {"two-link", "observers of two links with encoders of 1000 counts, against differentiation", two_link::run},
#endif
      // clang-format on
  };
  return entries;
}

const ReproductionEntry& find_reproduction(const std::string& name) {
  std::vector<std::string> names;
  for (const ReproductionEntry& entry : reproductions()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw InvalidInput(
      {.function = "reproduce",
       .rule = fmt::format("no reproduction \"{}\"{}", name, suggestion(name, names))});
}

Reproduction reproduce(const std::string& name, const ReproduceOptions& options) {
  Reproduction found = find_reproduction(name).run(options);
  found.full = options.full;
  return found;
}

}  // namespace alembert::reproductions
