// Angles, single precision, exact derivatives and consistency.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "alembert/estimate/consistency.hpp"
#include "alembert/estimate/smoother.hpp"
#include "linear_models.hpp"
#include "small_models.hpp"
#include "support/matrices_near.hpp"

namespace alembert::estimate::nonlinear_test {

using test::kEps;
using test::matrices_near;
using namespace test_models;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A turning angle and its rate, both the state's and the measured angle on the circle.
struct Turning : SmallModel<2, 1, double> {
  // the input is the step
  bool state_is_angle(int i) const { return i == 0; }
  bool output_is_angle(int) const { return true; }
  template <typename T>
  void process(const Input& h, std::span<const T> x, std::span<T> next) const {
    next[0] = x[0] + h * x[1];
    next[1] = x[1];
  }
  template <typename T>
  void output(const Input&, std::span<const T> x, std::span<T> y) const {
    y[0] = wrapped(x[0]);
  }
  template <typename T>
  static T wrapped(const T& x) {
    return x - (value_of(x) - wrap_angle(value_of(x)));
  }
};

// On the line, without wraps, the same motion is linear: the Kalman filter and the batch solution.
TEST(AnglesTest, CrossPlusMinusPiLikeAnyOtherAngle) {
  LinearCase data(2, 1, 60, 3);
  const double h = 0.1;
  data.A << 1.0, h, 0.0, 1.0;
  data.B.setZero();
  data.C << 1.0, 0.0;
  data.Q = Eigen::Vector2d(1e-4, 1e-3).asDiagonal();
  data.R(0, 0) = 0.04;
  // Points a standard deviation apart span more than a radian around π.
  data.P0 = Eigen::Vector2d(0.25, 1.0).asDiagonal();
  data.x0 << 3.1, 2.0;
  RandomStream random(9);
  for (std::size_t k = 0; k < data.z.size(); ++k) {
    data.z[k](0) = 3.1 + 2.3 * h * static_cast<double>(k + 1) + 0.2 * random.normal();
  }
  const std::vector<Gaussian> expected = kalman(data);
  const std::vector<Gaussian> smoothed = batch(data);
  const Eigen::Vector2d x0 = data.x0;
  const Eigen::Matrix2d P0 = data.P0;
  for_each_filter(Turning{}, x0, P0, [&](const std::string& name, auto filter) {
    using Filter = decltype(filter);
    const auto q = Filter::ProcessNoise::from_covariance(data.Q);
    const auto r = Filter::OutputNoise::from_covariance(data.R);
    std::vector<typename Filter::Kernel> kernels(data.z.size());
    for (std::size_t k = 0; k < data.z.size(); ++k) {
      ASSERT_EQ(filter.predict(h, q, kernels[k]), Status::Success) << name;
      const VectorXd z = VectorXd::Constant(1, wrap_angle(data.z[k](0)));
      ASSERT_EQ(filter.update(h, z, r).status, Status::Success) << name;
      ASSERT_LE(std::abs(filter.mean()(0)), std::numbers::pi);
      const double difference = wrap_angle(filter.mean()(0) - expected[k].mean(0));
      // The angle reaches 16 rad; wraps cost a few roundings each.
      ASSERT_NEAR(difference, 0.0, 1e4 * kEps) << name << k;
      ASSERT_NEAR(filter.mean()(1), expected[k].mean(1), 1e4 * kEps) << name << k;
    }
    const auto beliefs = smooth(filter, std::span<const typename Filter::Kernel>(kernels));
    for (std::size_t k = 0; k < beliefs.size(); ++k) {
      // The oracle inverts an information matrix with a condition of about 1e6.
      ASSERT_NEAR(wrap_angle(beliefs[k].mean(0) - smoothed[k].mean(0)), 0.0, 1e7 * kEps) << name;
      ASSERT_NEAR(beliefs[k].mean(1), smoothed[k].mean(1), 1e7 * kEps) << name;
    }
  });
}

// An angle that rests at π: every second estimate lies on the other side of the cut, so that
// smoothing must take differences on the circle, and its angles stay on it.
TEST(AnglesTest, SmoothingAtPlusMinusPiIsThatOnTheLine) {
  LinearCase data(2, 1, 80, 3);
  const double h = 0.1;
  data.A << 1.0, h, 0.0, 1.0;
  data.B.setZero();
  data.C << 1.0, 0.0;
  data.Q = Eigen::Vector2d(1e-2, 1e-3).asDiagonal();
  data.R(0, 0) = 0.04;
  data.P0 = Eigen::Vector2d(0.25, 0.1).asDiagonal();
  data.x0 << std::numbers::pi, 0.0;
  RandomStream random(29);
  for (Eigen::VectorXd& z : data.z) z(0) = std::numbers::pi + 0.2 * random.normal();
  const std::vector<Gaussian> smoothed = batch(data);
  const Eigen::Vector2d x0 = data.x0;
  const Eigen::Matrix2d P0 = data.P0;
  for_each_filter(Turning{}, x0, P0, [&](const std::string& name, auto filter) {
    using Filter = decltype(filter);
    const auto q = Filter::ProcessNoise::from_covariance(data.Q);
    const auto r = Filter::OutputNoise::from_covariance(data.R);
    std::vector<typename Filter::Kernel> kernels(data.z.size());
    int crossings = 0;
    double before = filter.mean()(0);
    for (std::size_t k = 0; k < data.z.size(); ++k) {
      ASSERT_EQ(filter.predict(h, q, kernels[k]), Status::Success) << name;
      const VectorXd z = VectorXd::Constant(1, wrap_angle(data.z[k](0)));
      ASSERT_EQ(filter.update(h, z, r).status, Status::Success) << name;
      crossings += filter.mean()(0) * before < 0.0 ? 1 : 0;
      before = filter.mean()(0);
    }
    ASSERT_GE(crossings, 8) << name << ": the case does not test what it should";
    const auto beliefs = smooth(filter, std::span<const typename Filter::Kernel>(kernels));
    for (std::size_t k = 0; k < beliefs.size(); ++k) {
      EXPECT_LE(std::abs(beliefs[k].mean(0)), std::numbers::pi) << name << k;
      // The oracle inverts an information matrix with a condition of about 1e6.
      ASSERT_NEAR(wrap_angle(beliefs[k].mean(0) - smoothed[k].mean(0)), 0.0, 1e7 * kEps) << name;
      ASSERT_NEAR(beliefs[k].mean(1), smoothed[k].mean(1), 1e7 * kEps) << name << k;
    }
  });
}

TEST(AnglesTest, WrapKeepsAnglesInOneTurn) {
  const double pi = std::numbers::pi;
  for (const double angle : {-3.0, 0.0, 3.0}) {
    for (int turns = -3; turns <= 3; ++turns) {
      EXPECT_NEAR(wrap_angle(angle + 2.0 * pi * turns), angle, 32 * kEps);
    }
  }
  EXPECT_NEAR(wrap_angle(3.5), 3.5 - 2.0 * pi, 4 * kEps);
}

// The textbook's trap for the covariance form: a vague start and precise measurements of nearly the
// same quantity. In double precision both forms agree; in single precision P - K S Kᵀ loses all
// digits.
template <typename Real>
struct Precise {
  Linear<Real, 2, 2> model;
  Precise() {
    model.A = MatrixXd::Identity(2, 2);
    model.A(0, 1) = 0.01;
    model.B = VectorXd::Zero(2);
    model.C.resize(2, 2);
    model.C << 1.0, 1e-3, 1.0, 2e-3;
  }
};

/// Worst relative error of the variances over a run against the double-precision one; infinite if a
/// step fails or a variance is not positive.
template <typename Filter>
double worst_variance_error(Filter filter, const std::vector<Eigen::Vector2d>& expected) {
  const auto q = Filter::ProcessNoise::from_deviations({1e-4f, 1e-4f});
  const auto r = Filter::OutputNoise::from_deviations({1e-3f, 1e-3f});
  double worst = 0.0;
  for (const Eigen::Vector2d& variances : expected) {
    if (filter.predict(0.0f, q) != Status::Success) return INFINITY;
    if (filter.update(0.0f, {1.0f, 1.0f}, r).status != Status::Success) return INFINITY;
    const Eigen::Vector2d now = filter.covariance().diagonal().template cast<double>();
    if (!(now.minCoeff() > 0.0)) return INFINITY;
    worst = std::max(worst, ((now - variances).array() / variances.array()).abs().maxCoeff());
  }
  return worst;
}

TEST(SinglePrecisionTest, SquareRootSurvivesWhereTheCovarianceFormFails) {
  const Eigen::Matrix2d P0 = Eigen::Vector2d(1e6, 1e6).asDiagonal();
  const Eigen::Matrix2f P0f = P0.cast<float>();
  const Precise<double> precise;
  const Precise<float> rough;
  Ekf<Linear<double, 2, 2>> plain(precise.model, Eigen::Vector2d::Zero(), P0);
  SquareRootEkf<Linear<double, 2, 2>> root(precise.model, Eigen::Vector2d::Zero(), P0);
  const auto q = Noise<double, 2>::from_deviations({1e-4, 1e-4});
  const auto r = Noise<double, 2>::from_deviations({1e-3, 1e-3});
  std::vector<Eigen::Vector2d> expected;
  for (int k = 0; k < 50; ++k) {
    ASSERT_EQ(plain.predict(0.0, q), Status::Success);
    ASSERT_EQ(root.predict(0.0, q), Status::Success);
    ASSERT_EQ(plain.update(0.0, {1.0, 1.0}, r).status, Status::Success);
    ASSERT_EQ(root.update(0.0, {1.0, 1.0}, r).status, Status::Success);
    // P⁺ is 12 digits below P⁻ in the first step: four are left in double precision.
    EXPECT_TRUE(matrices_near(plain.covariance(), root.covariance(), {.rel = 1e-3})) << k;
    expected.emplace_back(root.covariance().diagonal());
  }
  const Eigen::Vector2f zero = Eigen::Vector2f::Zero();
  using Model = Linear<float, 2, 2>;
  const SigmaPoints set = spherical_simplex(2);
  EXPECT_GT(worst_variance_error(Ekf<Model>(rough.model, zero, P0f), expected), 1.0);
  EXPECT_GT(worst_variance_error(SigmaPointFilter<Model>(rough.model, zero, P0f, set), expected),
            1.0);
  // The condition of the array, 1e3/1e-3, times the rounding 6e-8; twice that for variances.
  EXPECT_LT(worst_variance_error(SquareRootEkf<Model>(rough.model, zero, P0f), expected), 0.12);
  EXPECT_LT(worst_variance_error(SquareRootSigmaPointFilter<Model>(rough.model, zero, P0f, set),
                                 expected),
            0.12);
}

/// A swinging pendulum; its horizontal position is measured.
struct Pendulum : SmallModel<2, 1> {
  template <typename T>
  void process(const Input&, std::span<const T> x, std::span<T> next) const {
    using std::sin;
    next[0] = x[0] + 0.02 * x[1];
    next[1] = x[1] - 0.02 * 10.0 * sin(x[0]);
  }
  template <typename T>
  void output(const Input&, std::span<const T> x, std::span<T> y) const {
    using std::sin;
    y[0] = sin(x[0]);
  }
};

/// Two-sided derivative check of the dual numbers through a model.
TEST(LinearisationTest, DualNumbersGiveTheExactJacobian) {
  Linearisation<Pendulum> linear{Pendulum{}};
  Eigen::Vector2d next;
  Eigen::Matrix2d F;
  Eigen::Matrix<double, 1, 1> y;
  Eigen::RowVector2d H;
  for (const double angle : {-2.0, 0.0, 0.7}) {
    linear.process(Pendulum{}, {}, {angle, 0.4}, next, F);
    linear.output(Pendulum{}, {}, {angle, 0.4}, y, H);
    Eigen::Matrix2d expected;
    expected << 1.0, 0.02, -0.2 * std::cos(angle), 1.0;
    EXPECT_TRUE(matrices_near(F, expected, {.rel = 4 * kEps}));
    EXPECT_TRUE(matrices_near(H, Eigen::RowVector2d(std::cos(angle), 0.0), {.rel = 4 * kEps}));
    EXPECT_NEAR(y(0), std::sin(angle), 4 * kEps);
  }
}

/// The pendulum with derivatives by hand; its process and output are no templates.
struct PendulumByHand : SmallModel<2, 1> {
  void process_jacobian(const Input&, std::span<const double> x, std::span<double> next,
                        Eigen::Matrix2d& F) const {
    Pendulum{}.process({}, x, next);
    F << 1.0, 0.02, -0.2 * std::cos(x[0]), 1.0;
  }
  void output_jacobian(const Input&, std::span<const double> x, std::span<double> y,
                       Eigen::RowVector2d& H) const {
    Pendulum{}.output({}, x, y);
    H << std::cos(x[0]), 0.0;
  }
};

TEST(LinearisationTest, JacobiansByHandServeAsWell) {
  const Eigen::Vector2d x0(0.6, 0.2);
  const Eigen::Matrix2d P0 = Eigen::Vector2d(0.1, 0.1).asDiagonal();
  Ekf<Pendulum> dual({}, x0, P0);
  Ekf<PendulumByHand> hand({}, x0, P0);
  const auto q = Noise<double, 2>::from_deviations({0.01, 0.02});
  const auto r = Noise<double, 1>::from_deviations(Eigen::Matrix<double, 1, 1>(0.1));
  for (int k = 0; k < 20; ++k) {
    const Eigen::Matrix<double, 1, 1> z(0.1 * k);
    ASSERT_EQ(dual.predict({}, q), Status::Success);
    ASSERT_EQ(hand.predict({}, q), Status::Success);
    ASSERT_TRUE(dual.update({}, z, r).accepted);
    ASSERT_TRUE(hand.update({}, z, r).accepted);
    EXPECT_TRUE(matrices_near(hand.mean(), dual.mean(), {.rel = 1e3 * kEps}));
  }
}

/// A Wiener process, measured by two sensors.
struct Brownian : SmallModel<1, 2> {
  void process(const Input&, std::span<const double> x, std::span<double> next) const {
    next[0] = x[0];
  }
  void output(const Input&, std::span<const double> x, std::span<double> y) const {
    y[0] = y[1] = x[0];
  }
};

// Two sensors that measure at times of their own: predict to each of them. For a Wiener process the
// way there does not matter, so the estimate is that of the closed form: with prior N(0, t_1) the
// interpolation of a Brownian motion at its last sample.
TEST(AsynchronousTest, PredictionsOfAnyLengthMeetTheSamples) {
  using One = Eigen::Matrix<double, 1, 1>;
  SquareRootSigmaPointFilter<Brownian, 3> filter({}, One(0.0), One(0.0), spherical_simplex(1));
  const auto r = Noise<double, 2>::from_deviations({0.5, 0.2});
  // Sensor, time, value.
  const std::vector<std::tuple<int, double, double>> samples = {
      {0, 0.31, 0.2}, {1, 0.70, -0.1}, {0, 0.95, 0.4}, {1, 1.70, 0.3}};
  double now = 0.0;
  for (const auto& [sensor, time, value] : samples) {
    ASSERT_EQ(filter.predict({}, Noise<double, 1>::from_covariance(One(time - now))),
              Status::Success);
    Eigen::Vector2d z(kMissing, kMissing);
    z(sensor) = value;
    ASSERT_EQ(filter.update({}, z, r).used, 1);
    now = time;
  }
  // cov(x(s), x(t)) = min(s, t): Gaussian regression on all samples at once.
  const int count = static_cast<int>(samples.size());
  MatrixXd S(count, count);
  VectorXd z(count), c(count);
  for (int i = 0; i < count; ++i) {
    const auto& [sensor, time, value] = samples[static_cast<std::size_t>(i)];
    for (int j = 0; j < count; ++j)
      S(i, j) = std::min(time, std::get<1>(samples[static_cast<std::size_t>(j)]));
    S(i, i) += sensor == 0 ? 0.25 : 0.04;
    z(i) = value;
    c(i) = time;
  }
  EXPECT_NEAR(filter.mean()(0), c.dot(S.inverse() * z), 100 * kEps);
  EXPECT_NEAR(filter.covariance()(0, 0), now - c.dot(S.inverse() * c), 100 * kEps);
}

/// NEES at the end of 100 runs whose filter takes a Q `factor` times the true one.
template <typename Filter>
SquaresReport monte_carlo(const Filter& start, double factor) {
  std::vector<double> squares;
  const auto q =
      Filter::ProcessNoise::from_deviations(Eigen::Vector2d(1e-3, 0.02) * std::sqrt(factor));
  const auto r = Filter::OutputNoise::from_deviations(VectorXd::Constant(1, 0.05));
  for (std::uint64_t run = 0; run < 100; ++run) {
    RandomStream random(77, run);
    Filter filter = start;
    Eigen::Vector2d x =
        start.mean() + Eigen::Vector2d(0.1 * random.normal(), 0.1 * random.normal());
    Eigen::Vector2d next;
    Eigen::Matrix<double, 1, 1> z;
    for (int k = 0; k < 200; ++k) {
      Pendulum{}.process({}, std::span<const double>(x.data(), 2),
                         std::span<double>(next.data(), 2));
      x = next + Eigen::Vector2d(1e-3 * random.normal(), 0.02 * random.normal());
      z(0) = std::sin(x(0)) + 0.05 * random.normal();
      EXPECT_EQ(filter.predict({}, q), Status::Success);
      EXPECT_EQ(filter.update({}, z, r).status, Status::Success);
    }
    squares.push_back(nees(filter.mean() - x, filter.covariance()));
  }
  return judge_squares(squares, std::vector<int>(100, 2));
}

TEST(MonteCarloTest, TellsRightFromWrongNoise) {
  const Eigen::Vector2d x0(0.6, 0.0);
  const Eigen::Matrix2d P0 = Eigen::Vector2d(0.01, 0.01).asDiagonal();
  const auto check = [](const auto& filter) {
    EXPECT_TRUE(monte_carlo(filter, 1.0).consistent) << monte_carlo(filter, 1.0).average;
    const SquaresReport small = monte_carlo(filter, 0.1);
    EXPECT_GT(small.average, small.upper);
    const SquaresReport large = monte_carlo(filter, 10.0);
    EXPECT_LT(large.average, large.lower);
  };
  check(Ekf<Pendulum>({}, x0, P0));
  check(SquareRootSigmaPointFilter<Pendulum, 4>({}, x0, P0, spherical_simplex(2)));
}

// h = x² measured almost exactly from a far start: one linearisation misses, the iteration is the
// least-squares solution of (x - x⁻)²/P + (z - x²)²/R, where its derivative vanishes.
struct Square : SmallModel<1, 1> {
  template <typename T>
  void process(const Input&, std::span<const T> x, std::span<T> next) const {
    next[0] = x[0];
  }
  template <typename T>
  void output(const Input&, std::span<const T> x, std::span<T> y) const {
    y[0] = x[0] * x[0];
  }
};

TEST(IteratedEkfTest, IsTheLeastSquaresSolution) {
  const Eigen::Matrix<double, 1, 1> x0(1.0), P0(1.0), z(4.0);
  const auto r = Noise<double, 1>::from_deviations(Eigen::Matrix<double, 1, 1>(0.1));
  const auto slope = [](double x) { return (x - 1.0) - 2.0 * x * (4.0 - x * x) / 0.01; };
  Ekf<Square> once({}, x0, P0);
  Ekf<Square> plain({}, x0, P0, {.iterations = 30, .tolerance = 1e-12});
  SquareRootEkf<Square> root({}, x0, P0, {.iterations = 30, .tolerance = 1e-12});
  EXPECT_TRUE(once.update({}, z, r).accepted);
  EXPECT_TRUE(plain.update({}, z, r).accepted);
  EXPECT_TRUE(root.update({}, z, r).accepted);
  EXPECT_GT(std::abs(slope(once.mean()(0))), 100.0);
  // The slope has the size 800 (x - x̂): rounding of x, and the tolerance times the deviation 0.025.
  EXPECT_NEAR(slope(plain.mean()(0)), 0.0, 1e-9);
  EXPECT_NEAR(slope(root.mean()(0)), 0.0, 1e-9);
}

}  // namespace alembert::estimate::nonlinear_test
