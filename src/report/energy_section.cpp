#include <fmt/format.h>

#include "alembert/integrate/energy.hpp"
#include "report/signal_section.hpp"
#include "report/words.hpp"

namespace alembert::report {
namespace {

constexpr Eigen::Index kMostNumbers = 4'000'000;  // coordinates times samples: 100 MB of motion

bool in_si(const study::ModelDescription& model) {
  const auto is = [](const std::vector<std::string>& units, const std::string& unit) {
    for (const std::string& u : units) {
      if (u != unit) return false;
    }
    return true;
  };
  return is(model.displacement_units, "m") && is(model.force_units, "N");
}

std::string residual_note(const study::SimulateStudy& study, double share) {
  const bool exact = study.integration.method == integrate::Method::Variational;
  return fmt::format(
      "Supplied minus dissipated equals the change of the energy up to {} of the largest energy; "
      "{}",
      significant(share, 2),
      exact ? "for this method that is rounding"
            : "powers are taken at the middle of each step, which errs by the square of the step");
}

}  // namespace

Section energy_section(const study::SimulateResult& result) {
  Section section{.title = "Energy", .blocks = {}};
  const study::SimulateStudy& study = result.study;
  const Eigen::Index n = study.model.system.degrees_of_freedom();
  const Eigen::Index inputs = study.model.system.inputs();
  if (result.experiments.empty()) return section;
  const Eigen::MatrixXd& truth = result.experiments.front().truth.samples();
  if (truth.cols() < inputs + 3 * n || truth.rows() < 2 || truth.rows() * n > kMostNumbers) {
    return section;
  }
  integrate::Trajectory motion;
  motion.displacement = truth.middleCols(inputs, n);
  motion.velocity = truth.middleCols(inputs + n, n);
  motion.acceleration = truth.middleCols(inputs + 2 * n, n);
  const integrate::EnergyBalance balance =
      integrate::energy_balance(study.model.system, motion, truth.leftCols(inputs), study.step);
  const double largest = balance.energy.cwiseAbs().maxCoeff();
  if (!(largest > 0.0)) return section;
  const Eigen::VectorXd times = result.experiments.front().truth.time().times();
  section.blocks.push_back(
      Plot{.id = "energy",
           .title = "Energy balance",
           .x_label = "time [s]",
           .y_label = with_unit("energy", in_si(study.model) ? "J" : ""),
           .curves = {sampled_curve("in the system", times, balance.energy),
                      sampled_curve("supplied by the inputs", times, balance.supplied),
                      sampled_curve("dissipated", times, balance.dissipated)},
           .caption = residual_note(study, balance.residual.cwiseAbs().maxCoeff() / largest)});
  return section;
}

}  // namespace alembert::report
