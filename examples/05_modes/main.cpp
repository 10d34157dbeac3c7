// Frequencies, damping and shapes of a structure from one force and two responses.
#include <fmt/core.h>

#include <alembert/core/random.hpp>
#include <alembert/identify/modes/record_modes.hpp>
#include <cmath>
#include <complex>
#include <numbers>

int main() {
  // The record: here two modes at 6 and 17 Hz with 1 % damping under a random force; else what was
  // measured. x' = λ x + F for each mode, exact for a force that is held between samples.
  const double step = 0.01;  // s
  alembert::RandomStream random(3);
  alembert::signal::InputOutput record{Eigen::MatrixXd(3000, 1), Eigen::MatrixXd::Zero(3000, 2)};
  record.inputs.col(0) = random.normal_vector(3000);  // N
  const Eigen::Vector2d shapes[] = {{1.0, 1.0}, {1.0, -0.7}};
  for (int mode = 0; mode < 2; ++mode) {
    const double omega = 2.0 * std::numbers::pi * (mode == 0 ? 6.0 : 17.0);
    const std::complex<double> pole(-0.01 * omega, omega * std::sqrt(1.0 - 1e-4));
    const std::complex<double> z = std::exp(pole * step);
    std::complex<double> x = 0.0;
    for (Eigen::Index k = 0; k < 3000; ++k) {
      record.outputs.row(k) += x.imag() * shapes[mode].transpose();
      x = z * x + (z - 1.0) / pole * record.inputs(k, 0);
    }
  }
  for (int o = 0; o < 2; ++o) record.outputs.col(o) += 1e-3 * random.normal_vector(3000);

  const auto found = alembert::identify::identify_record_modes({record}, step);
  for (const auto& mode : found.modes) {
    fmt::print(
        "{:9.5f} ± {:.2g} Hz, damping {:.4f} ± {:.2g} %, second response over first {:.3f}\n",
        mode.frequency_hz, mode.frequency_deviation, 100.0 * mode.damping_ratio,
        100.0 * mode.damping_deviation, (mode.shape(1) / mode.shape(0)).real());
  }
  return found.ok() && found.modes.size() == 2 ? 0 : 1;
}
