#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/random.hpp"
#include "alembert/estimate/kinematic_observer.hpp"
#include "unit/model/planar/planar_examples.hpp"

namespace alembert::test::compiled_model_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using estimate::FilterRule;
using estimate::KinematicObserver;
using estimate::KinematicObserverOptions;
using estimate::ObserverForm;
using model::EngineKind;
using model::planar::SensorKind;

// Both find the same position to rounding; 300 steps of a filter that forgets pass it on.
constexpr double kRounding = 1e-9;

MechanismDescription measured(MechanismDescription d) {
  for (Sensor& sensor : d.sensors) {
    sensor.sigma = sensor.kind == SensorKind::Acceleration ? 0.03 : 0.003;
    sensor.wrap = false;
  }
  return d;
}

/// Readings while the coordinates swing about z0, with noise; rows are samples.
MatrixXd swinging(const Mechanism& mechanism, const VectorXd& z0, int samples) {
  MechanismState state = mechanism.make_state();
  EXPECT_TRUE(mechanism.assemble(z0, state).ok());
  state.forces.setConstant(0.4);  // what force cells read
  RandomStream random(5);
  MatrixXd readings(samples, mechanism.sensors());
  for (int k = 0; k < samples; ++k) {
    const VectorXd z = z0.array() + 0.4 * std::sin(0.02 * k);
    const VectorXd zd = VectorXd::Constant(z0.size(), 8.0 * std::cos(0.02 * k));
    const VectorXd zdd = VectorXd::Constant(z0.size(), -160.0 * std::sin(0.02 * k));
    EXPECT_TRUE(move_to(mechanism, state, z, zd, zdd));
    for (int s = 0; s < mechanism.sensors(); ++s) {
      const double sigma = mechanism.description().sensors[static_cast<std::size_t>(s)].sigma;
      readings(k, s) = mechanism.sensor_value(s, state) + sigma * random.normal();
    }
  }
  return readings;
}

// The same estimates with and without the compiled mechanism.
void compare(const MechanismDescription& description, KinematicObserverOptions options,
             EngineKind engine) {
  const auto mechanism = std::make_shared<const Mechanism>(description);
  const MatrixXd readings = swinging(*mechanism, options.start.z, 300);
  KinematicObserver slow(mechanism, options);
  options.output.compiled = compile_for_observer(
      mechanism, options.output, options.form == ObserverForm::Dynamic, {.kind = engine});
  ASSERT_NE(options.output.compiled, nullptr);
  KinematicObserver fast(mechanism, options);
  for (Index k = 0; k < readings.rows(); ++k) {
    const VectorXd row = readings.row(k);
    const auto a = slow.step(k == 0 ? 0.0 : 0.0025, as_span(row));
    const auto b = fast.step(k == 0 ? 0.0 : 0.0025, as_span(row));
    ASSERT_EQ(a.status, b.status) << k;
    ASSERT_EQ(a.update.used, b.update.used) << k;
    for (Index i = 0; i < slow.mean().size(); ++i) {
      const double sigma = slow.deviation(static_cast<int>(i));
      ASSERT_NEAR(fast.mean()(i), slow.mean()(i), kRounding * (1.0 + std::abs(slow.mean()(i))))
          << "state " << i << ", step " << k;
      ASSERT_NEAR(fast.deviation(static_cast<int>(i)), sigma, kRounding * (1.0 + sigma));
    }
  }
}

KinematicObserverOptions options_at(const VectorXd& z0) {
  KinematicObserverOptions options;
  options.start.z = z0;
  return options;
}

TEST(CompiledModel, GivesTheEstimatesOfTheMechanism) {
  for (const EngineKind engine : {EngineKind::Interpreter, EngineKind::Native}) {
    compare(measured(slider_crank(0.14, 0.56)), options_at(numbers({0.9})), engine);
    compare(measured(four_bar(0.1, 0.3, 0.25, 0.35)), options_at(numbers({1.0})), engine);
    compare(measured(two_link(0.4, 0.3, 0.35, 0.25)), options_at(numbers({0.5, 0.7})), engine);
  }
}

TEST(CompiledModel, SigmaPointsGoThroughIt) {
  KinematicObserverOptions options = options_at(numbers({1.0}));
  options.filter = FilterRule::Simplex;
  compare(measured(four_bar(0.1, 0.3, 0.25, 0.35)), options, EngineKind::Interpreter);
}

TEST(CompiledModel, LengthsAndBiasesAreStates) {
  MechanismDescription d = measured(slider_crank(0.14, 0.56));
  d.parameters = {length_parameter(d, "rod", "A", "B")};
  KinematicObserverOptions options = options_at(numbers({0.9}));
  options.output.geometry = true;
  options.output.biases = {1};
  compare(d, options, EngineKind::Interpreter);
}

TEST(CompiledModel, MovesByForces) {
  MechanismDescription d = measured(two_link(0.4, 0.3, 0.35, 0.25));
  d.forces = {{.name = "shoulder", .of = "upper"},
              {.name = "hand", .of = "lower", .relative_to = "upper", .known = false}};
  d.sensors.push_back(
      {.name = "cell", .kind = SensorKind::Torque, .of = "shoulder", .sigma = 0.01});
  KinematicObserverOptions options = options_at(numbers({0.5, 0.7}));
  options.form = ObserverForm::Dynamic;
  // A start that knows something: from the default one, covariances lose ten digits in the first
  // update, in either way.
  options.start.sigma_zd = 3.0;
  options.start.sigma_zdd = 30.0;
  options.start.sigma_force = 3.0;
  options.output_noise.force_density = {10.0};
  for (const EngineKind engine : {EngineKind::Interpreter, EngineKind::Native}) {
    compare(d, options, engine);
  }
}

}  // namespace alembert::test::compiled_model_test
