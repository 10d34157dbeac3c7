#include "measure_dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <vector>

#include "alembert/model/planar/compiled_mechanism.hpp"
#include "dynamics_by_hand.hpp"
#include "step_times.hpp"
#include "unit/model/planar/planar_examples.hpp"

namespace alembert::benchmark {

namespace {

using Eigen::VectorXd;
using model::planar::CompiledMechanism;
using model::planar::CompiledState;
using model::planar::Mechanism;
using model::planar::MechanismDescription;

constexpr double kStep = 1e-3;
constexpr int kSamples = 1000;

/// Positions that swing about z0 by 0.3 rad once in a second, with rates.
struct Swing {
  std::vector<VectorXd> z, zd;

  explicit Swing(const VectorXd& z0) {
    const double omega = 2.0 * M_PI / (kSamples * kStep);
    for (int k = 0; k < kSamples; ++k) {
      z.push_back(z0.array() + 0.3 * std::sin(omega * kStep * k));
      zd.push_back(VectorXd::Constant(z0.size(), 0.3 * omega * std::cos(omega * kStep * k)));
    }
  }
};

template <typename ByHand>
void measure(const std::string& name, MechanismDescription description, const VectorXd& z0,
             const VectorXd& forces, const ByHand& by_hand, long steps) {
  const auto mechanism = std::make_shared<const Mechanism>(std::move(description));
  const auto n = static_cast<std::size_t>(z0.size());
  const auto begun = std::chrono::steady_clock::now();
  const CompiledMechanism compiled(mechanism, {.readings = false, .forward = true});
  const double compile =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  model::planar::MechanismState assembled = mechanism->make_state();
  static_cast<void>(mechanism->assemble(z0, assembled));
  CompiledState state = compiled.make_state(assembled);
  const Swing swing(z0);
  const std::string model = name + ", forward dynamics with derivatives";
  long failures = 0;
  std::size_t at = 0;
  measure_steps(model, "compiled", steps, failures, [&] {
    if (compiled.solve_position(test::as_span(swing.z[at]), state) !=
        model::planar::StepStatus::Success) {
      ++failures;
    }
    compiled.set_rates(test::as_span(swing.zd[at]), state);
    if (!compiled.forward_slopes(test::as_span(forces), state)) ++failures;
    if (++at == swing.z.size()) at = 0;
  });
  std::vector<double> r(n * (1 + 3 * n));
  double sum = 0.0;
  at = 0;
  measure_steps(model, "by hand", steps, failures, [&] {
    by_hand(swing.z[at].data(), swing.zd[at].data(), forces.data(), r.data());
    sum += r[0];
    if (++at == swing.z.size()) at = 0;
  });
  double difference = 0.0;
  for (std::size_t k = 0; k < swing.z.size(); k += 7) {
    static_cast<void>(compiled.solve_position(test::as_span(swing.z[k]), state));
    compiled.set_rates(test::as_span(swing.zd[k]), state);
    static_cast<void>(compiled.forward_slopes(test::as_span(forces), state));
    by_hand(swing.z[k].data(), swing.zd[k].data(), forces.data(), r.data());
    for (std::size_t i = 0; i < n; ++i) {
      difference = std::max(difference, std::abs(r[i] - state.forward.data()[i]));
    }
    for (std::size_t i = n; i < r.size(); ++i) {
      difference = std::max(difference, std::abs(r[i] - state.forward.data()[i + n]));
    }
  }
  fmt::print(
      "{{\"model\": \"{}\", \"difference\": {:.3g}, \"sum\": {:.6g}, \"compile_s\": {:.3f}, "
      "\"cached\": {}, \"operations\": {}}}\n",
      model, difference, sum, compile, compiled.from_cache(), compiled.operations());
}

}  // namespace

void measure_dynamics(long steps) {
  MechanismDescription crank = test::slider_crank(0.14, 0.56);
  crank.forces = {{.name = "torque", .of = "crank"}};
  measure("slider-crank", crank, test::numbers({0.9}), test::numbers({3.0}),
          SliderCrankByHand{.crank = {0.14, 1.8}, .rod = {0.56, 3.7}, .slider = 1.2}, steps);
  MechanismDescription arm = test::two_link(0.4, 0.3, 0.35, 0.25);
  arm.forces = {{.name = "shoulder", .of = "upper"},
                {.name = "elbow", .of = "lower", .relative_to = "upper"}};
  measure("two-link", arm, test::numbers({0.5, 0.7}), test::numbers({3.0, 1.0}),
          TwoLinkByHand{.upper = {0.4, 2.0}, .lower = {0.3, 1.5}}, steps);
}

}  // namespace alembert::benchmark
