// Angle and speed of a pendulum of 1 m from a noisy angle sensor, with equations of one's own.
#include <fmt/core.h>

#include <alembert/core/random.hpp>
#include <alembert/estimate/ekf.hpp>
#include <cmath>

struct Pendulum {  // x = (angle, speed), a step of 10 ms; derivatives come from the templates
  using Scalar = double;
  struct Input {};
  static constexpr int kStates = 2, kOutputs = 1;
  template <typename T>
  void process(const Input&, std::span<const T> x, std::span<T> next) const {
    using std::sin;
    next[1] = x[1] - 0.01 * 9.81 * sin(x[0]);
    next[0] = x[0] + 0.01 * next[1];
  }
  template <typename T>
  void output(const Input&, std::span<const T> x, std::span<T> y) const {
    y[0] = x[0];
  }
};

int main() {
  using namespace alembert::estimate;
  Ekf<Pendulum> filter({}, Eigen::Vector2d(0.5, 0.0), Eigen::Matrix2d::Identity());
  const auto q = Noise<double, 2>::from_deviations({1e-5, 1e-3});  // rad, rad/s
  const auto r = Noise<double, 1>::from_deviations(Eigen::Matrix<double, 1, 1>(0.02));  // rad
  alembert::RandomStream random(1);
  double angle = 1.0, speed = 0.0;  // the truth, else what a sensor reads
  for (int k = 0; k < 500; ++k) {
    speed -= 0.01 * 9.81 * std::sin(angle);
    angle += 0.01 * speed;
    if (filter.predict({}, q) != alembert::Status::Success) return 1;
    const Eigen::Matrix<double, 1, 1> reading(angle + 0.02 * random.normal());
    if (!filter.update({}, reading, r).accepted) return 1;
  }
  fmt::print("angle {:6.3f} ± {:.3f} rad   (true {:6.3f})\n", filter.mean()(0),
             std::sqrt(filter.variance(0)), angle);
  fmt::print("speed {:6.3f} ± {:.3f} rad/s (true {:6.3f})\n", filter.mean()(1),
             std::sqrt(filter.variance(1)), speed);
}
