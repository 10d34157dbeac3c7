#include "reproductions/manipulator/dynamics.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <array>
#include <cmath>

#include "alembert/document/printed.hpp"
#include "alembert/integrate/flexible_simulation.hpp"
#include "reproductions/manipulator/links.hpp"

namespace alembert::reproductions::manipulator {
namespace {

using document::as_printed;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using integrate::FlexibleMethod;
using integrate::FlexibleSimulation;
using model::flexible::FlexibleDescription;
using model::flexible::FlexibleEquations;
using model::flexible::FlexibleMechanism;
using model::flexible::FlexibleState;

const char* const kReference = "reference computation: two independent programs";
constexpr double kInner = 0.60;    // m, of the node on CE
constexpr double kStep = 25e-6;    // s, of Runge-Kutta 4 in the reference computation
constexpr double kTipLoad = 20.0;  // N upwards at F, that bends the links before the start

void compare(const std::string& name, double measured, const std::string& unit,
             const std::string& expected, Reproduction& result, const std::string& reason = "") {
  result.claims.push_back(compared({.name = name,
                                    .measured = measured,
                                    .unit = unit,
                                    .reference = std::stod(expected),
                                    .target = as_printed(expected),
                                    .source = kReference,
                                    .reason = reason}));
}

// State at the reference pose with rates, its links bent by a force at the tip.
VectorXd bent_start(const FlexibleMechanism& mechanism, const Eigen::Vector3d& rates) {
  const Index ne = mechanism.elastic();
  const Index n = mechanism.unknowns();
  const MatrixXd K = mechanism.matrices(mechanism.start()).K.topLeftCorner(ne, ne);
  const VectorXd load = kTipLoad * VectorXd::Unit(ne, mechanism.displacement("y(EF.F)"));
  VectorXd x = VectorXd::Zero(2 * n);
  x.head(ne) = Eigen::LLT<MatrixXd>(K).solve(load);
  x.segment(ne, 3) = reference_pose();
  x.tail(3) = rates;
  return x;
}

FlexibleMechanism mechanism_with(FlexibleEquations equations) {
  FlexibleDescription description = links(Variant::Calib, kInner);
  description.equations = equations;
  return {description, reference_pose()};
}

std::vector<model::TimeFormula> still() {
  return std::vector<model::TimeFormula>(3, model::TimeFormula("0*t"));
}

/// A row of the table of energies.
struct EnergyCase {
  Eigen::Vector3d rates;
  const char* energy;
  const char* published;  // drift of the published form
  double complete;        // largest drift of the complete form
};

const std::array<EnergyCase, 2> kEnergyCases = {{{{2.0, -2.0, 4.0}, "11.298", "2.2e-4", 2.8e-6},
                                                 {{6.0, -6.0, 12.0}, "101.52", "3.3e-2", 7.1e-6}}};

// E − E(0) along the run, J. Both forms by ½ b'ᵀ M b' + ½ uᵀ K u or by all terms that they keep.
VectorXd drift_of(const FlexibleSimulation& run) {
  const VectorXd energy = run.kinetic + run.elastic + run.potential;
  return energy.array() - energy(0);
}

FlexibleSimulation free_run(const FlexibleMechanism& mechanism, const Eigen::Vector3d& rates,
                            FlexibleMethod method) {
  return integrate::simulate_flexible(mechanism, bent_start(mechanism, rates), still(),
                                      {.step = 1e-4, .count = 301},
                                      {.method = method, .substeps = 4});
}

}  // namespace

void add_rigid_mass(Reproduction& result) {
  const std::array<std::array<const char*, 6>, 2> expected = {
      {{"1.8275767", "-0.0120516", "0.0245765", "4.3492300", "-0.0163842", "0.0101946"},
       {"1.5361097", "-0.0056011", "0.0245765", "3.8868591", "-0.0163842", "0.0101946"}}};
  for (const Variant variant : {Variant::Table, Variant::Calib}) {
    const FlexibleMechanism mechanism(links(variant, kInner), reference_pose());
    const MatrixXd M = mechanism.mass(mechanism.start()).bottomRightCorner(3, 3);
    std::size_t k = 0;
    for (Index i = 0; i < 3; ++i) {
      for (Index j = i; j < 3; ++j) {
        compare(fmt::format("SᵀMS({},{}), {}", i + 1, j + 1,
                            variant == Variant::Table ? "table" : "calib"),
                M(i, j), "kg m^2", expected[variant == Variant::Table ? 0 : 1][k++], result);
      }
    }
  }
}

void add_identities(Reproduction& result) {
  const FlexibleMechanism mechanism = mechanism_with(FlexibleEquations::Published);
  const Eigen::Vector3d rates(2.0, -2.0, 4.0);
  const auto at = [&](double time) {
    FlexibleState state = mechanism.start();
    VectorXd x = VectorXd::Zero(2 * mechanism.unknowns());
    x.segment(mechanism.elastic(), 3) = reference_pose() + time * rates;
    x.tail(3) = rates;
    mechanism.move({x.data(), static_cast<std::size_t>(x.size())}, state);
    return state;
  };
  const FlexibleState state = at(0.0);
  const auto nodes = mechanism.matrices(state);
  constexpr double kTime = 1e-4;  // s: truncation 1e-8 of the largest entry, rounding 1e-12
  const MatrixXd slope =
      (mechanism.matrices(at(kTime)).M - mechanism.matrices(at(-kTime)).M) / (2.0 * kTime);
  const auto largest = [](const MatrixXd& m) { return m.cwiseAbs().maxCoeff(); };
  const std::string source = "own promise: rounding";
  result.claims.push_back(
      promised({.name = "largest entry of SᵀK over that of K",
                .measured = largest(state.S.transpose() * nodes.K) / largest(nodes.K),
                .target = "<= 1e-14",
                .source = source}));
  result.claims.push_back(
      promised({.name = "largest entry of MG S q' over that of MG",
                .measured = largest(nodes.MG * state.S * rates) / largest(nodes.MG),
                .target = "<= 1e-13",
                .source = source}));
  result.claims.push_back(
      promised({.name = "largest entry of dM/dt − MG − MGᵀ over that of MG",
                .measured = largest(slope - nodes.MG - nodes.MG.transpose()) / largest(nodes.MG),
                .target = "<= 1e-6",
                .source = "own promise: truncation of the central difference"}));
}

void add_energy(Reproduction& result) {
  Table table{.id = "energy",
              .title = "Energy without damping and torque",
              .header = {"rates [rad/s]", "E(0) [J]", "published form [J]", "complete form [J]",
                         "complete form, midpoint rule [J]"},
              .caption =
                  "Largest |E − E(0)| within 30 ms, links bent by 20 N at the tip before. "
                  "Runge-Kutta 4 of 25 µs unless noted. The published form leaves out terms of the "
                  "order of u w² and u q''; what is left of the complete form is damping by "
                  "the integrator of vibration above 1 kHz."};
  table.values.resize(static_cast<Index>(kEnergyCases.size()), 4);
  for (std::size_t i = 0; i < kEnergyCases.size(); ++i) {
    const EnergyCase& one = kEnergyCases[i];
    const FlexibleMechanism short_form = mechanism_with(FlexibleEquations::Published);
    const FlexibleMechanism full_form = mechanism_with(FlexibleEquations::Complete);
    const FlexibleSimulation published =
        free_run(short_form, one.rates, FlexibleMethod::RungeKutta4);
    const FlexibleSimulation complete = free_run(full_form, one.rates, FlexibleMethod::RungeKutta4);
    const FlexibleSimulation midpoint = free_run(full_form, one.rates, FlexibleMethod::Midpoint);
    const std::string name =
        fmt::format("{:.0f}, {:.0f}, {:.0f}", one.rates(0), one.rates(1), one.rates(2));
    const double start = published.kinetic(0) + published.elastic(0);
    table.rows.push_back({name});
    table.values.row(static_cast<Index>(i)) << start, drift_of(published).cwiseAbs().maxCoeff(),
        drift_of(complete).cwiseAbs().maxCoeff(), drift_of(midpoint).cwiseAbs().maxCoeff();
    compare("energy at the start, " + name + " rad/s", start, "J", one.energy, result);
    compare("energy drift of the published form, " + name + " rad/s",
            drift_of(published).cwiseAbs().maxCoeff(), "J", one.published, result,
            fmt::format("the reference computation does not say at which time; at 30 ms it is "
                        "{:.2g} J",
                        drift_of(published).tail<1>()(0)));
    result.claims.push_back(
        promised({.name = "energy drift of the complete form, " + name + " rad/s",
                  .measured = drift_of(complete).cwiseAbs().maxCoeff(),
                  .unit = "J",
                  .reference = one.complete,
                  .target = fmt::format("<= {:g}", one.complete),
                  .source = "own promise: at or below the reference computation"}));
    if (i == 0) continue;
    result.figures.push_back(
        {.id = "energy",
         .title = "Energy drift, " + name + " rad/s",
         .x_label = "time [s]",
         .y_label = "E − E(0) [J]",
         .curves = {{.name = "published form", .x = published.time, .y = drift_of(published)},
                    {.name = "complete form", .x = complete.time, .y = drift_of(complete)}}});
  }
  result.tables.push_back(std::move(table));
}

void add_driven_run(Reproduction& result) {
  FlexibleDescription description = links(Variant::Calib, kInner);
  description.equations = FlexibleEquations::Published;
  description.mass_damping = 1.47;
  description.stiffness_damping = 3.9e-5;
  const FlexibleMechanism mechanism(description, reference_pose());
  const Index ne = mechanism.elastic();
  VectorXd x = VectorXd::Zero(2 * mechanism.unknowns());
  x.segment(ne, 3) = reference_pose();
  // [MultibodyThesis, eq. (6.7)]
  const std::vector<model::TimeFormula> torques = {model::TimeFormula("1.4*sin(2*pi*8*t)"),
                                                   model::TimeFormula("7*sin(2*pi*10*t)"),
                                                   model::TimeFormula("0.1*sin(2*pi*11*t)")};
  const FlexibleSimulation run = integrate::simulate_flexible(
      mechanism, x, torques, {.step = 0.01, .count = 6},
      {.method = FlexibleMethod::RungeKutta4, .substeps = static_cast<int>(0.01 / kStep + 0.5)});
  const std::array<const char*, 3> angles = {"AB", "AD", "EF"};
  const std::array<std::array<const char*, 3>, 2> q = {
      {{"1.082151861", "2.635889360", "4.712435637"},
       {"1.082920563", "2.636854770", "4.721648433"}}};
  const std::array<const char*, 3> rates = {"0.0193034", "0.0292797", "0.2847243"};
  for (std::size_t i = 0; i < 3; ++i) {
    const Index at = ne + static_cast<Index>(i);
    const std::string angle = std::string("angle of ") + angles[i];
    compare(angle + " at 10 ms", run.states(1, at), "rad", q[0][i], result);
    compare(angle + " at 50 ms", run.states(5, at), "rad", q[1][i], result);
    compare("rate of " + angle + " at 50 ms", run.states(5, mechanism.unknowns() + at), "rad/s",
            rates[i], result);
  }
  const std::array<std::pair<const char*, const char*>, 6> displacements = {
      {{"x(AD.M)", "5.9439e-5"},
       {"y(AD.M)", "1.07345e-4"},
       {"x(BC.C)", "2.15214e-4"},
       {"y(BC.C)", "3.48657e-4"},
       {"x(EF.F)", "1.61452e-4"},
       {"y(EF.F)", "3.76057e-4"}}};
  for (const auto& [name, expected] : displacements) {
    compare(fmt::format("displacement {} at 10 ms", name),
            run.states(1, mechanism.displacement(name)), "m", expected, result);
  }
}

}  // namespace alembert::reproductions::manipulator
