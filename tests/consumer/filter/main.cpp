// A program that only filters: a constant seen twice with the same noise is the mean of both.
#include <alembert/estimate/ekf.hpp>
#include <cmath>
#include <cstdio>

struct Constant {
  using Scalar = double;
  struct Input {};
  static constexpr int kStates = 1, kOutputs = 1;
  void process(const Input&, auto x, auto next) const { next[0] = x[0]; }
  void output(const Input&, auto x, auto y) const { y[0] = x[0]; }
};

int main() {
  using namespace alembert::estimate;
  using One = Eigen::Matrix<double, 1, 1>;
  const auto noise = Noise<double, 1>::from_deviations(One(1.0));
  Ekf<Constant> filter({}, One(2.0), One(1.0));  // the first reading: 2 with the variance 1
  if (filter.update({}, One(3.0), noise).status != alembert::Status::Success) return 1;
  std::printf("%.15f\n", filter.mean()(0));
  return std::abs(filter.mean()(0) - 2.5) < 1e-15 ? 0 : 1;  // (2 + 3)/2, rounding only
}
