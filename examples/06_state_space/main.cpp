// A state-space model of a structure from one force and two responses, of an order that is chosen.
#include <fmt/core.h>

#include <alembert/core/random.hpp>
#include <alembert/identify/state_space/state_space.hpp>
#include <cmath>
#include <complex>
#include <numbers>

int main() {
  // The record: here two modes at 6 and 17 Hz with 1 % damping under a random force; else what was
  // measured. x' = λ x + F for each mode, exact for a force that is held between samples.
  alembert::RandomStream random(3);
  alembert::identify::Experiment record{.input = random.normal_vector(3000),  // N
                                        .output = Eigen::MatrixXd::Zero(3000, 2),
                                        .step = 0.01};  // s
  const Eigen::Vector2d shapes[] = {{1.0, 1.0}, {1.0, -0.7}};
  for (int mode = 0; mode < 2; ++mode) {
    const double omega = 2.0 * std::numbers::pi * (mode == 0 ? 6.0 : 17.0);
    const std::complex<double> pole(-0.01 * omega, omega * std::sqrt(1.0 - 1e-4));
    const std::complex<double> z = std::exp(pole * record.step);
    std::complex<double> x = 0.0;
    for (Eigen::Index k = 0; k < 3000; ++k) {
      record.output.row(k) += x.imag() * shapes[mode].transpose();
      x = z * x + (z - 1.0) / pole * record.input(k, 0);
    }
  }
  for (int o = 0; o < 2; ++o) record.output.col(o) += 1e-3 * random.normal_vector(3000);

  const auto found = alembert::identify::identify_state_space({record});
  fmt::print("{}\n{} states, fit {:.2f} %\n", found.reason, found.model.F.rows(),
             found.estimation.mean_fit());
  for (const auto& pole : found.poles) {
    fmt::print("{:9.5f} ± {:.2g} Hz, damping {:.4f} ± {:.2g} %\n", pole.frequency_hz,
               pole.frequency_deviation, 100.0 * pole.damping_ratio,
               100.0 * pole.damping_deviation);
  }
  return found.ok() && found.model.F.rows() == 4 ? 0 : 1;
}
