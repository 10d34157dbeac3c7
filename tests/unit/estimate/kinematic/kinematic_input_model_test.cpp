#include "alembert/estimate/kinematic_input_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "alembert/core/error.hpp"
#include "slider_crank_record.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::test::kinematic_input_model_test {

using estimate::AccelerationScheme;
using estimate::Discretisation;
using estimate::InputFormOptions;
using estimate::KinematicInput;
using estimate::KinematicInputModel;
using estimate::SwitchRule;
using model::planar::Mechanism;
using model::planar::Sensor;
using model::planar::SensorKind;

constexpr Discretisation kMethods[] = {Discretisation::Euler, Discretisation::Trapezoidal,
                                       Discretisation::Heun, Discretisation::RungeKutta};

// Two links with three accelerometers and two gyroscopes, more than needed of each.
std::shared_ptr<const Mechanism> arm() {
  using namespace model::planar;
  MechanismDescription d;
  d.gravity.setZero();
  d.bodies = {
      {.name = "upper", .points = {{"A", {0.0, 0.0}}, {"B", {0.5, 0.0}}, {"S", {0.4, 0.0}}}},
      {.name = "lower", .points = {{"A", {0.0, 0.0}}, {"S", {0.3, 0.0}}}}};
  d.joints = {{.name = "shoulder", .b = "upper.A"},
              {.name = "elbow", .a = "upper.B", .b = "lower.A"}};
  d.coordinates = {parse_coordinate("angle(upper)"), parse_coordinate("angle(lower, upper)")};
  const auto add = [&](const char* name, SensorKind kind, const char* of, double sigma,
                       Eigen::Vector2d axis) {
    d.sensors.push_back({.name = name, .kind = kind, .of = of, .axis = axis, .sigma = sigma});
  };
  add("a1", SensorKind::Acceleration, "upper.S", 0.03, {0.0, 1.0});
  add("a2", SensorKind::Acceleration, "lower.S", 0.05, {0.0, 1.0});
  add("a3", SensorKind::Acceleration, "lower.S", 0.04, {1.0, 0.3});
  add("g1", SensorKind::AngularRate, "upper", 0.01, {1.0, 0.0});
  add("g2", SensorKind::AngularRate, "lower", 0.02, {1.0, 0.0});
  add("v", SensorKind::Velocity, "lower.S", 0.03, {0.6, 0.8});
  add("e1", SensorKind::Angle, "upper", 0.003, {1.0, 0.0});
  add("e2", SensorKind::Angle, "lower", 0.003, {1.0, 0.0});
  return std::make_shared<const Mechanism>(d);
}

KinematicInputModel made(const std::shared_ptr<const Mechanism>& mechanism,
                         const InputFormOptions& options) {
  model::planar::MechanismState state = mechanism->make_state();
  const Eigen::VectorXd z = Eigen::VectorXd::Constant(mechanism->coordinates(), 0.4);
  EXPECT_TRUE(mechanism->assemble(z, state).ok());
  return {mechanism, state, options};
}

Eigen::VectorXd stepped(const KinematicInputModel& model, const KinematicInput& u,
                        const Eigen::VectorXd& x) {
  Eigen::VectorXd next(x.size());
  model.process(u, {x.data(), static_cast<std::size_t>(x.size())},
                {next.data(), static_cast<std::size_t>(x.size())});
  return next;
}

// The process Jacobian against central differences; steps of 0.05 s so that all terms count.
void compare_jacobian(const KinematicInputModel& model, const KinematicInput& u,
                      const Eigen::VectorXd& x) {
  const Eigen::Index n = x.size();
  Eigen::MatrixXd F(n, n);
  Eigen::VectorXd next(n);
  model.process_jacobian(u, {x.data(), static_cast<std::size_t>(n)},
                         {next.data(), static_cast<std::size_t>(n)}, F);
  // The corrector of the implicit rule stops at 1e-14.
  EXPECT_TRUE(matrices_near(next, stepped(model, u, x), {.rel = 1e-12}));
  for (Eigen::Index j = 0; j < n; ++j) {
    const double h = 1e-5;
    Eigen::VectorXd up = x, down = x;
    up(j) += h;
    down(j) -= h;
    const Eigen::VectorXd slope = (stepped(model, u, up) - stepped(model, u, down)) / (2 * h);
    // Truncation h² f'''/6 with f''' up to 1e3, rounding 1e-14/h.
    EXPECT_TRUE(matrices_near(F.col(j), slope, {.rel = 1e-7, .abs = 1e-7})) << j;
  }
}

TEST(KinematicInputModel, JacobiansMatchDifferences) {
  const auto mechanism = arm();
  for (const Discretisation method : kMethods) {
    for (int scheme = 0; scheme < 5; ++scheme) {
      for (const std::vector<int>& inputs : {std::vector<int>{0, 1}, std::vector<int>{0, 1, 2}}) {
        const KinematicInputModel model =
            made(mechanism, {.inputs = inputs,
                             .outputs = {6, 7},
                             .discretisation = method,
                             .scheme = static_cast<AccelerationScheme>(scheme),
                             .gamma = 3.0});
        const double before[] = {1.0, -0.7, 0.4}, now[] = {1.2, -0.5, 0.1};
        Eigen::VectorXd x(model.states());
        x.head(4) << 0.5, 0.9, 1.1, -0.8;
        if (x.size() > 4) x.tail(2) << 2.0, -1.0;
        compare_jacobian(model, {0.05, {before, inputs.size()}, {now, inputs.size()}, false}, x);
        compare_jacobian(model, {0.05, {before, inputs.size()}, {now, inputs.size()}, true}, x);
      }
    }
    for (const std::vector<int>& inputs : {std::vector<int>{3, 4}, std::vector<int>{3, 4, 5}}) {
      const KinematicInputModel model =
          made(mechanism, {.inputs = inputs, .outputs = {6, 7}, .discretisation = method});
      ASSERT_EQ(model.states(), 2);
      const double before[] = {1.0, -0.7, 0.2}, now[] = {1.2, -0.5, 0.3};
      compare_jacobian(model, {0.05, {before, inputs.size()}, {now, inputs.size()}, false},
                       Eigen::Vector2d(0.5, 0.9));
    }
  }
}

// Published acceleration model of the two-link arm with θ2 relative: z'' from a1, a2.
TEST(KinematicInputModel, TwoLinkFollowsTheClosedForm) {
  const auto mechanism = arm();
  const KinematicInputModel model = made(mechanism, {.inputs = {0, 1}, .outputs = {6, 7}});
  const double L1 = 0.5, d1 = 0.4, d2 = 0.3, a1 = 1.3, a2 = -0.6, h = 1e-3;
  Eigen::VectorXd x(6);
  x << 0.5, 0.9, 1.1, -0.8, 0.0, 0.0;
  const double u[] = {a1, a2};
  const Eigen::VectorXd next = stepped(model, {h, u, u, false}, x);
  const double al1 = a1 / d1;
  const double al2 =
      -a1 * (L1 * std::cos(0.9) + d2) / (d1 * d2) + (a2 - L1 * std::sin(0.9) * 1.1 * 1.1) / d2;
  Eigen::VectorXd expected(6);
  expected << 0.5 + h * 1.1, 0.9 - h * 0.8, 1.1 + h * al1, -0.8 + h * al2, al1, al2;
  EXPECT_TRUE(matrices_near(next, expected, {.abs = 1e-12}));
}

// Redundant inputs: the gyroscopes agree on z1' only in the weighted mean.
TEST(KinematicInputModel, WeighsRedundantInputsByTheirNoise) {
  using namespace model::planar;
  MechanismDescription d;
  d.bodies = {{.name = "wheel"}};
  d.joints = {{.name = "axle", .b = "wheel"}};
  d.coordinates = {parse_coordinate("angle(wheel)")};
  d.sensors = {{.name = "g1", .kind = SensorKind::AngularRate, .of = "wheel", .sigma = 0.1},
               {.name = "g2", .kind = SensorKind::AngularRate, .of = "wheel", .sigma = 0.2},
               {.name = "e", .of = "wheel", .sigma = 0.1}};
  const auto mechanism = std::make_shared<const Mechanism>(d);
  const KinematicInputModel model = made(mechanism, {.inputs = {0, 1}, .outputs = {2}});
  const double both[] = {1.0, 2.0}, one[] = {std::nan(""), 2.0};
  const Eigen::VectorXd x = Eigen::VectorXd::Constant(1, 0.3);
  EXPECT_NEAR(stepped(model, {0.1, both, both, false}, x)(0), 0.3 + 0.1 * 1.2, 1e-15);
  EXPECT_NEAR(stepped(model, {0.1, one, one, false}, x)(0), 0.3 + 0.1 * 2.0, 1e-15);
  const double z = 0.3;
  EXPECT_NEAR(model.determinant({&z, 1}, both), 2.0, 1e-14);
  EXPECT_NEAR(model.determinant({&z, 1}, one), 1.0, 1e-14);
}

// Integration of noise-free accelerations from the true start over 0.1 s: errors fall with the
// order of the rule. Between samples the input is taken for linear, so none is above order 2.
TEST(KinematicInputModel, DiscretisationsHaveTheirOrder) {
  const auto mechanism = slider_crank_mechanism();
  const auto error = [&](Discretisation method, double h) {
    const KinematicInputModel model = made(mechanism, {.inputs = {1},
                                                       .outputs = {0},
                                                       .discretisation = method,
                                                       .scheme = AccelerationScheme::None});
    model::planar::MechanismState truth = mechanism->make_state();
    EXPECT_TRUE(mechanism->assemble(Eigen::VectorXd::Constant(1, 0.3), truth).ok());
    // θ = 0.3 + 3 t + 0.5 sin 4t
    const auto reading = [&](double t) {
      const double z = 0.3 + 3 * t + 0.5 * std::sin(4 * t), zd = 3 + 2 * std::cos(4 * t),
                   zdd = -8 * std::sin(4 * t);
      EXPECT_EQ(mechanism->solve_position({&z, 1}, truth), model::planar::StepStatus::Success);
      mechanism->solve_velocity({&zd, 1}, truth);
      mechanism->solve_acceleration({&zdd, 1}, truth);
      return mechanism->sensor_value(1, truth);
    };
    Eigen::VectorXd x = Eigen::Vector2d(0.3, 5.0);
    const int steps = static_cast<int>(std::lround(0.1 / h));
    for (int k = 0; k < steps; ++k) {
      const double before = reading(k * h), now = reading((k + 1) * h);
      x = stepped(model, {h, {&before, 1}, {&now, 1}, false}, x);
    }
    return std::abs(x(1) - 3 - 2 * std::cos(0.4));
  };
  for (const Discretisation method : kMethods) {
    const double ratio = error(method, 0.005) / error(method, 0.0025);
    const double order = method == Discretisation::Euler ? 2.0 : 4.0;
    EXPECT_NEAR(ratio, order, 0.1 * order) << static_cast<int>(method);
  }
}

// Under Euler's rule scheme 3 is scheme 1 for every γ, and scheme 2 for γ = 1.
TEST(KinematicInputModel, SchemesCoincideUnderEuler) {
  const auto mechanism = slider_crank_mechanism();
  const double u[] = {3.0};
  Eigen::VectorXd x(3);
  x << 0.6, 12.0, 4.0;
  const auto next = [&](AccelerationScheme scheme, double gamma) {
    return stepped(
        made(mechanism, {.inputs = {1}, .outputs = {0}, .scheme = scheme, .gamma = gamma}),
        {1e-3, u, u, false}, x);
  };
  const Eigen::VectorXd first = next(AccelerationScheme::Constraint, 1.0);
  const Tolerance close{.rel = 1e-10};  // the difference of speeds over a step loses 4 digits
  EXPECT_TRUE(matrices_near(next(AccelerationScheme::NewmarkConstraint, 5.0), first, close));
  EXPECT_TRUE(matrices_near(next(AccelerationScheme::Newmark, 1.0), first, close));
  EXPECT_GT(std::abs(next(AccelerationScheme::Newmark, 5.0)(2) - first(2)), 1.0);
}

// Scheme 2 under Euler's rule is the low pass a_k = f/γ + (1 - 1/γ) a_{k-1} of the constraint's
// acceleration f, where z and z' go their way as with scheme 1.
TEST(KinematicInputModel, NewmarkSchemeIsALowPass) {
  const auto mechanism = slider_crank_mechanism();
  const auto model = [&](AccelerationScheme scheme) {
    return made(mechanism, {.inputs = {1}, .outputs = {0}, .scheme = scheme, .gamma = 20.0});
  };
  const KinematicInputModel plain = model(AccelerationScheme::Constraint);
  const KinematicInputModel newmark = model(AccelerationScheme::Newmark);
  Eigen::VectorXd x(3), filtered(3);
  x << 0.2, 12.0, 0.0;
  filtered << 0.2, 12.0, 0.0;
  double low_pass = 0.0;
  for (int k = 0; k < 60; ++k) {
    const double u[] = {-3.0 + 0.2 * k};
    x = stepped(plain, {1e-3, u, u, false}, x);
    filtered = stepped(newmark, {1e-3, u, u, false}, filtered);
    low_pass = x(2) / 20.0 + 19.0 / 20.0 * low_pass;
    // The difference of speeds of 12 rad/s over a step of 1 ms loses 4 digits.
    EXPECT_NEAR(filtered(2), low_pass, 1e-10 * (1.0 + std::abs(x(2)))) << k;
    EXPECT_EQ(filtered(1), x(1));
  }
}

TEST(KinematicInputModel, SwitchesWithHysteresis) {
  SwitchRule plain({.threshold = 1.0});
  EXPECT_FALSE(plain.update(1.1, 0.1));
  EXPECT_TRUE(plain.update(1.0, 0.1));
  EXPECT_FALSE(plain.update(1.01, 0.1));
  SwitchRule position({.threshold = 1.0, .release_ratio = 1.5});
  EXPECT_TRUE(position.update(0.9, 0.1));
  EXPECT_TRUE(position.update(1.4, 0.1));
  EXPECT_FALSE(position.update(1.6, 0.1));
  EXPECT_FALSE(position.update(1.4, 0.1));
  // Falling at 10/s it is at the threshold within 0.05 s; it stays while falling.
  SwitchRule speed({.threshold = 1.0, .release_ratio = 1.5, .look_ahead = 0.05});
  EXPECT_FALSE(speed.update(2.4, 0.1));
  EXPECT_TRUE(speed.update(1.4, 0.1));
  EXPECT_TRUE(speed.update(1.2, 0.1));
  EXPECT_FALSE(speed.update(1.6, 0.1));
  SwitchRule never;
  EXPECT_FALSE(never.update(0.0, 0.1));
  EXPECT_TRUE(SwitchRule({.threshold = 1.0}).update(std::nan(""), 0.1));
  EXPECT_EQ(message_of([] { SwitchRule({.threshold = -1.0}); }),
            "SwitchRule: threshold must not be negative, got -1");
}

TEST(KinematicInputModel, NamesBadArguments) {
  const auto mechanism = arm();
  const auto message = [&](const InputFormOptions& options) {
    return message_of([&] { (void)made(mechanism, options); });
  };
  EXPECT_EQ(message({.inputs = {0}, .outputs = {6}}),
            "KinematicInputModel: inputs must be at least 2, got 1");
  EXPECT_EQ(message({.inputs = {0, 3}, .outputs = {6}}),
            "KinematicInputModel: inputs must be all rates or all accelerations, got 'g1'");
  EXPECT_EQ(message({.inputs = {0, 1}, .outputs = {3}}),
            "KinematicInputModel: outputs must read positions, got 'g1'");
}

}  // namespace alembert::test::kinematic_input_model_test
