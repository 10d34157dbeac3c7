#include "alembert/study/equation_system.hpp"

#include <fmt/format.h>

namespace alembert::study {

std::string integrator_words(const identify::SimulationOptions& options) {
  const std::string steps =
      fmt::format(", {} step{} a sample", options.substeps, options.substeps == 1 ? "" : "s");
  const std::string tolerance = fmt::format(", tolerance {}", options.tolerance());
  switch (options.integrator) {
    case identify::Integrator::Newmark:
      return "Newmark" + steps;
    case identify::Integrator::DormandPrince:
      return "Dormand-Prince" + tolerance + (options.events ? ", kinks located" : "");
    case identify::Integrator::Stiff:
      return "CVODES" + tolerance;
    case identify::Integrator::RungeKutta4:
      break;
  }
  return "Runge-Kutta" + steps;
}

}  // namespace alembert::study
