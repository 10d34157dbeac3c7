#include "identify/output_error/finer_simulation.hpp"

namespace alembert::identify {

SimulationOptions finer(const SimulationOptions& options) {
  SimulationOptions result = options;
  switch (options.integrator) {
    case Integrator::RungeKutta4:
    case Integrator::Newmark:
      result.substeps *= 2;
      break;
    case Integrator::DormandPrince:
    case Integrator::Stiff:
      result.relative_tolerance = 0.1 * options.tolerance();
      result.absolute_tolerance *= 0.1;
      break;
  }
  return result;
}

}  // namespace alembert::identify
