#include "alembert/integrate/energy.hpp"

#include "alembert/integrate/linear_simulation.hpp"
#include "reproductions/discretisation/parts.hpp"

namespace alembert::reproductions::discretisation {

namespace {

using integrate::Method;

struct Candidate {
  std::string name;
  integrate::LinearSimulationOptions options;
};

std::vector<Candidate> candidates() {
  return {
      {"variational midpoint", {.method = Method::Variational}},
      {"Newmark 1/4, 1/2", {.method = Method::Newmark}},
      {"exact", {.method = Method::Exact}},
      {"Gauss 1", {.method = Method::Gauss, .gauss_stages = 1}},
      {"Gauss 2", {.method = Method::Gauss, .gauss_stages = 2}},
      {"Gauss 3", {.method = Method::Gauss, .gauss_stages = 3}},
      {"Newmark 1/6, 1/2", {.method = Method::Newmark, .newmark_beta = 1.0 / 6.0}},
      {"Newmark 0.3025, 0.6",
       {.method = Method::Newmark, .newmark_beta = 0.3025, .newmark_gamma = 0.6}},
  };
}

}  // namespace

std::size_t energy_candidates() { return candidates().size(); }

std::optional<EnergyRow> measure_energy(const TestSystem& test, std::size_t candidate, double step,
                                        Eigen::Index steps, const StopFlag* stop) {
  Candidate chosen = candidates().at(candidate);
  chosen.options.stop = stop;
  model::SecondOrder undamped = test.system;
  const Eigen::Index n = undamped.degrees_of_freedom();
  undamped.D.setZero();
  undamped.L.resize(n, 0);
  // Static shape under a load that excites every mode.
  const Eigen::VectorXd q0 = Eigen::VectorXd::LinSpaced(n, 0.01, 0.02);
  const Eigen::MatrixXd no_input(steps + 1, 0);
  const integrate::Trajectory motion =
      integrate::simulate(undamped, no_input, step, q0, Eigen::VectorXd::Zero(n), chosen.options);
  if (!motion.ok()) {
    return std::nullopt;
  }
  Eigen::VectorXd energy = integrate::mechanical_energy(undamped, motion);
  energy /= energy(0);
  const Eigen::Index tenth = energy.size() / 10;
  return EnergyRow{.integrator = chosen.name,
                   .step = step,
                   .steps = motion.samples() - 1,
                   .lowest = energy.minCoeff() - 1.0,
                   .highest = energy.maxCoeff() - 1.0,
                   .end = energy(energy.size() - 1),
                   .drift = energy.tail(tenth).mean() - energy.head(tenth).mean()};
}

}  // namespace alembert::reproductions::discretisation
