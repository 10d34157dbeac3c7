#include "report/parts/energy_section.hpp"

#include <fmt/format.h>

#include "report/page/vocabulary.hpp"
#include "report/parts/sampled_curve.hpp"

namespace alembert::report {
namespace {

constexpr Eigen::Index kMostNumbers = 4'000'000;  // coordinates times samples: 100 MB of motion

bool in_si(const study::LinearModel& model) {
  const auto is = [](const std::vector<std::string>& units, const std::string& unit) {
    for (const std::string& u : units) {
      if (u != unit) return false;
    }
    return true;
  };
  return is(model.displacement_units, "m") && is(model.force_units, "N");
}

bool is_average_acceleration(const integrate::LinearSimulationOptions& options) {
  return options.method == integrate::Method::Newmark && options.newmark_beta == 0.25 &&
         options.newmark_gamma == 0.5;
}

// How the input of a study ran between samples, for energy_balance().
signal::BetweenSamples hold_of(const study::SimulateStudy& study) {
  return integrate::uses_hold(study.integration.method) ? study.integration.hold
                                                        : signal::BetweenSamples::Linear;
}

std::string residual_reason(const study::SimulateStudy& study, const study::LinearModel& model) {
  if (study.integration.method == integrate::Method::Variational ||
      is_average_acceleration(study.integration)) {
    return "for this method that is rounding";
  }
  if (hold_of(study) != signal::BetweenSamples::Held) {
    return "powers are taken at the middle of each step, which errs by the square of the step";
  }
  if (model.system.D.any()) {
    return "the work of the held inputs is exact; the dissipated power is taken at the middle of "
           "each step, which errs by the square of the step";
  }
  return "the work of the held inputs is exact, so that this is rounding";
}

}  // namespace

std::string energy_unit(const study::LinearModel& model) { return in_si(model) ? "J" : ""; }

std::optional<integrate::EnergyBalance> first_energy_balance(const study::SimulateResult& result) {
  const study::SimulateStudy& study = result.study;
  const study::LinearModel* model = study.linear();
  if (result.experiments.empty() || model == nullptr) return std::nullopt;
  const Eigen::Index n = model->system.degrees_of_freedom();
  const Eigen::Index inputs = model->system.inputs();
  const Eigen::MatrixXd& truth = result.experiments.front().truth.samples();
  if (truth.cols() < inputs + 3 * n || truth.rows() < 2 || truth.rows() * n > kMostNumbers) {
    return std::nullopt;
  }
  integrate::Trajectory motion;
  motion.displacement = truth.middleCols(inputs, n);
  motion.velocity = truth.middleCols(inputs + n, n);
  motion.acceleration = truth.middleCols(inputs + 2 * n, n);
  integrate::EnergyBalance balance = integrate::energy_balance(
      model->system, motion, truth.leftCols(inputs), study.step, hold_of(study));
  if (!(balance.energy.cwiseAbs().maxCoeff() > 0.0)) return std::nullopt;
  return balance;
}

Section energy_section(const study::SimulateResult& result,
                       const std::optional<integrate::EnergyBalance>& balance) {
  Section section{.title = "Energy", .blocks = {}};
  const study::LinearModel* model = result.study.linear();
  if (!balance || model == nullptr) return section;
  const double share =
      balance->residual.cwiseAbs().maxCoeff() / balance->energy.cwiseAbs().maxCoeff();
  const Eigen::VectorXd times = result.experiments.front().truth.time().times();
  section.blocks.push_back(
      Plot{.id = "energy",
           .title = "Energy balance",
           .x_label = "time [s]",
           .y_label = with_unit("energy", energy_unit(*model)),
           .curves = {sampled_curve("in the system", times, balance->energy),
                      sampled_curve("supplied by the inputs", times, balance->supplied),
                      sampled_curve("dissipated", times, balance->dissipated)},
           .caption = fmt::format(
               "Supplied minus dissipated equals the change of the energy up to {} of the largest "
               "energy; {}",
               significant(share, 2), residual_reason(result.study, *model))});
  return section;
}

}  // namespace alembert::report
