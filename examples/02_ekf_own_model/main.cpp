// Angle and speed of a pendulum of 1 m from a noisy angle sensor, with equations of one's own.
#include <fmt/core.h>

#include <alembert/core/random.hpp>
#include <alembert/estimate/ekf.hpp>
#include <cmath>

struct Pendulum {  // x = (angle, speed), steps of 10 ms; `auto` lets the filter differentiate
  using Scalar = double;
  struct Input {};
  static constexpr int kStates = 2, kOutputs = 1;
  void process(const Input&, auto x, auto next) const {
    using std::sin;
    next[1] = x[1] - 0.01 * 9.81 * sin(x[0]);
    next[0] = x[0] + 0.01 * next[1];
  }
  void output(const Input&, auto x, auto y) const { y[0] = x[0]; }
};

int main() {
  using namespace alembert::estimate;
  Ekf<Pendulum> filter({}, Eigen::Vector2d(0.5, 0.0), Eigen::Matrix2d::Identity());
  const auto q = Noise<double, 2>::from_deviations({1e-5, 1e-3});  // rad, rad/s
  const auto r = Noise<double, 1>::from_deviations(Eigen::Matrix<double, 1, 1>(0.02));  // rad
  alembert::RandomStream random(1);
  Eigen::Vector2d truth(1.0, 0.0);  // what a real sensor would read
  for (int k = 0; k < 500; ++k) {
    Pendulum().process({}, truth.data(), truth.data());
    if (filter.predict({}, q) != alembert::Status::Success) return 1;
    const Eigen::Matrix<double, 1, 1> reading(truth(0) + 0.02 * random.normal());
    if (!filter.update({}, reading, r).accepted) return 1;
  }
  fmt::print("angle {:.3f} ± {:.3f} rad, true {:.3f}; speed {:.3f} ± {:.3f} rad/s, true {:.3f}\n",
             filter.mean()(0), std::sqrt(filter.variance(0)), truth(0), filter.mean()(1),
             std::sqrt(filter.variance(1)), truth(1));
}
