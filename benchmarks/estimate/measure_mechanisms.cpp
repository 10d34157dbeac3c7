#include "measure_mechanisms.hpp"

#include <cmath>
#include <memory>
#include <utility>

#include "alembert/core/random.hpp"
#include "alembert/estimate/kinematic_observer.hpp"
#include "step_times.hpp"
#include "unit/model/planar/planar_examples.hpp"

namespace alembert::benchmark {

namespace {

using Eigen::VectorXd;
using estimate::FilterRule;
using estimate::KinematicObserver;
using estimate::KinematicObserverOptions;
using estimate::ObserverFilter;
using model::planar::Mechanism;
using model::planar::MechanismDescription;
using model::planar::StepStatus;

constexpr double kStep = 1e-3;
constexpr int kSamples = 1000;  // one period, so that the record can be repeated

/// Readings while the coordinates swing about z0 by 0.3 rad, once in a second.
std::vector<VectorXd> swinging(const Mechanism& mechanism, const VectorXd& z0) {
  const double omega = 2.0 * M_PI / (kSamples * kStep);
  model::planar::MechanismState state = mechanism.make_state();
  static_cast<void>(mechanism.assemble(z0, state));
  RandomStream random(3);
  std::vector<VectorXd> record;
  for (int k = 0; k < kSamples; ++k) {
    const double phase = omega * kStep * k;
    const VectorXd z = z0.array() + 0.3 * std::sin(phase);
    const VectorXd zd = VectorXd::Constant(z0.size(), 0.3 * omega * std::cos(phase));
    const VectorXd zdd = VectorXd::Constant(z0.size(), -0.3 * omega * omega * std::sin(phase));
    if (mechanism.solve_position(test::as_span(z), state) != StepStatus::Success) break;
    mechanism.solve_velocity(test::as_span(zd), state);
    mechanism.solve_acceleration(test::as_span(zdd), state);
    VectorXd readings(mechanism.sensors());
    for (int i = 0; i < mechanism.sensors(); ++i) {
      const double sigma = mechanism.description().sensors[static_cast<std::size_t>(i)].sigma;
      readings(i) = mechanism.sensor_value(i, state) + sigma * random.normal();
    }
    record.push_back(readings);
  }
  return record;
}

void measure_mechanism(const std::string& name, MechanismDescription description,
                       const VectorXd& z0, long steps) {
  for (model::planar::Sensor& sensor : description.sensors) {
    sensor.sigma = sensor.kind == model::planar::SensorKind::Acceleration ? 0.03 : 0.003;
    sensor.wrap = false;
  }
  const auto mechanism = std::make_shared<const Mechanism>(std::move(description));
  const std::vector<VectorXd> record = swinging(*mechanism, z0);
  const std::pair<const char*, ObserverFilter> filters[] = {
      {"ekf", FilterRule::Ekf},
      {"square-root ekf", square_root(FilterRule::Ekf)},
      {"simplex", FilterRule::Simplex},
      {"square-root simplex", square_root(FilterRule::Simplex)}};
  for (const bool compiled : {false, true}) {
    for (const auto& [filter, kind] : filters) {
      KinematicObserverOptions options;
      options.filter = kind;
      options.start.z = z0;
      if (compiled) {
        options.output.compiled = estimate::compile_for_observer(mechanism, options.output);
      }
      KinematicObserver observer(mechanism, options);
      long failures = 0;
      std::size_t at = 0;
      const std::string how = compiled ? ", compiled" : ", from its description";
      measure_steps(name + how, filter, steps, failures, [&] {
        const estimate::ObserverStep step = observer.step(kStep, test::as_span(record[at]));
        if (step.status != Status::Success) ++failures;
        if (++at == record.size()) at = 0;
      });
    }
  }
}

}  // namespace

void measure_mechanisms(long steps) {
  measure_mechanism("slider-crank", test::slider_crank(0.14, 0.56), test::numbers({0.9}), steps);
  measure_mechanism("four-bar", test::four_bar(0.1, 0.3, 0.25, 0.35), test::numbers({1.0}), steps);
  measure_mechanism("two-link", test::two_link(0.4, 0.3, 0.35, 0.25), test::numbers({0.5, 0.7}),
                    steps);
}

}  // namespace alembert::benchmark
