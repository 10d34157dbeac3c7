// A filter of one's own over the models of the library: a constant gain, which costs no covariance.
#include <fmt/core.h>

#include <alembert/core/random.hpp>
#include <alembert/estimate/ekf.hpp>
#include <cmath>
#include <span>

// Models take and fill plain numbers.
std::span<const double> values(const auto& vector) {
  return {vector.data(), static_cast<std::size_t>(vector.size())};
}
std::span<double> values(auto& vector) {
  return {vector.data(), static_cast<std::size_t>(vector.size())};
}

/// Predict x ← f(u, x), update x ← x + K (z - h(u, x)) with a gain K that stays.
template <alembert::estimate::FilterModel Model>
class ConstantGain {
  using Types = alembert::estimate::ModelTypes<Model>;

 public:
  ConstantGain(Model model, const typename Types::State& mean, const typename Types::Cross& gain)
      : model_(model), mean_(mean), gain_(gain) {}

  void predict(const typename Types::Input& u) {
    typename Types::State next = mean_;
    model_.process(u, values(mean_), values(next));
    mean_ = next;
  }
  void update(const typename Types::Input& u, const typename Types::Output& reading) {
    typename Types::Output expected;
    model_.output(u, values(mean_), values(expected));
    mean_ += gain_ * (reading - expected);
  }
  [[nodiscard]] const typename Types::State& mean() const { return mean_; }

 private:
  Model model_;
  typename Types::State mean_;
  typename Types::Cross gain_;
};

/// A cart whose speed wanders; its position is read every 10 ms.
struct Cart {
  using Scalar = double;
  struct Input {};
  static constexpr int kStates = 2, kOutputs = 1;
  void process(const Input&, auto x, auto next) const {
    next[0] = x[0] + 0.01 * x[1];
    next[1] = x[1];
  }
  void output(const Input&, auto x, auto y) const { y[0] = x[0]; }
};

int main() {
  using namespace alembert::estimate;
  const auto q = Noise<double, 2>::from_deviations({1e-5, 0.02});                       // m, m/s
  const auto r = Noise<double, 1>::from_deviations(Eigen::Matrix<double, 1, 1>(0.01));  // m
  const Eigen::Vector2d start(0.0, 1.0);
  // The gain of the Kalman filter in the steady state, K = P Hᵀ R⁻¹ with the P after an update.
  Ekf<Cart> kalman({}, start, Eigen::Matrix2d::Identity());
  alembert::RandomStream random(1);
  Eigen::Vector2d truth = start;
  const auto reading = [&] {
    truth(1) += 0.02 * random.normal();
    Cart().process({}, truth.data(), truth.data());
    return Eigen::Matrix<double, 1, 1>(truth(0) + 0.01 * random.normal());
  };
  const auto both = [&](const Eigen::Matrix<double, 1, 1>& z) {
    return kalman.predict({}, q) == alembert::Status::Success && kalman.update({}, z, r).accepted;
  };
  for (int k = 0; k < 1000; ++k) {
    if (!both(reading())) return 1;
  }
  const Eigen::Vector2d gain = kalman.covariance().col(0) / (0.01 * 0.01);

  ConstantGain<Cart> constant({}, truth, gain);
  for (int k = 0; k < 1000; ++k) {
    const auto z = reading();
    if (!both(z)) return 1;
    constant.predict({});
    constant.update({}, z);
  }
  const Eigen::Vector2d apart = constant.mean() - kalman.mean();
  fmt::print("gain {:.4f}, {:.4f}; speed {:.3f} m/s, Kalman {:.3f} ± {:.3f}, true {:.3f}\n",
             gain(0), gain(1), constant.mean()(1), kalman.mean()(1), std::sqrt(kalman.variance(1)),
             truth(1));
  // In the steady state the two are one filter.
  return apart.norm() < 1e-9 ? 0 : 1;
}
