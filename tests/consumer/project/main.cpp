// A foreign program: it finds the installed package, links every module and gets a right number.
#include <alembert/alembert.hpp>
#include <cmath>
#include <cstdio>
#include <string>

int main() {
  alembert::model::SecondOrder system;
  system.M = Eigen::MatrixXd::Constant(1, 1, 2.0);
  system.D = Eigen::MatrixXd::Zero(1, 1);
  system.K = Eigen::MatrixXd::Constant(1, 1, 8.0);
  system.L = Eigen::MatrixXd::Identity(1, 1);
  const double frequency = alembert::model::undamped_modes(system).angular_frequency(0);
  std::printf("alembert %s: omega = %.12f rad/s\n", std::string(alembert::version()).c_str(),
              frequency);
  return std::abs(frequency - 2.0) < 1e-12 ? 0 : 1;  // sqrt(8/2), rounding only
}
