#include "identify/partial/residue_model/pole_response.hpp"

#include <array>

#include "alembert/signal/spline.hpp"

namespace alembert::identify {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;

// φ_1..φ_4 and their derivatives by their series; |z| <= 2.5 needs fewer than 30 terms.
struct PhiValues {
  std::array<Complex, 4> value{}, derivative{};
};

PhiValues first_phi_values(Complex z) {
  PhiValues phi;
  for (std::size_t j = 0; j < 4; ++j) {
    double factorial = 1.0;
    for (std::size_t f = 2; f <= j + 1; ++f) factorial *= static_cast<double>(f);
    Complex term = 1.0 / factorial;  // z^p/(p + j + 1)!
    phi.value[j] = term;
    for (int p = 1; p < 40; ++p) {
      const double denominator = static_cast<double>(p) + static_cast<double>(j) + 1.0;
      phi.derivative[j] += static_cast<double>(p) * term / denominator;
      term *= z / denominator;
      phi.value[j] += term;
    }
  }
  return phi;
}

}  // namespace

PoleDrive pole_drive(const Eigen::Ref<const MatrixXd>& input, double step) {
  PoleDrive drive{MatrixXd::Zero(input.rows(), 4 * input.cols()), input.cols(), step};
  const MatrixXd slopes = step * signal::cubic_slopes(step, input);
  const Index m = input.cols();
  const Index last = input.rows() - 1;
  const MatrixXd rise = input.bottomRows(last) - input.topRows(last);
  const auto begin = slopes.topRows(last);
  const auto end = slopes.bottomRows(last);
  drive.w.leftCols(m) = input;
  drive.w.middleCols(m, m) = slopes;
  drive.w.topRows(last).middleCols(2 * m, m) = 6.0 * rise - 4.0 * begin - 2.0 * end;
  drive.w.topRows(last).middleCols(3 * m, m) = 6.0 * (begin + end) - 12.0 * rise;
  return drive;
}

PoleResponse pole_response(const PoleDrive& drive, Complex pole, bool with_derivative) {
  const Index samples = drive.w.rows();
  const Index m = drive.inputs;
  const double h = drive.step;
  const PhiValues phi = first_phi_values(pole * h);
  const Complex factor = std::exp(pole * h);
  PoleResponse response;
  response.x = Eigen::MatrixXcd::Zero(samples, m);
  response.dx = Eigen::MatrixXcd::Zero(with_derivative ? samples : 0, m);
  for (Index c = 0; c < m; ++c) {
    Complex x = 0.0;
    Complex dx = 0.0;
    for (Index k = 0; k + 1 < samples; ++k) {
      Complex drive_value = 0.0;
      Complex drive_slope = 0.0;
      for (std::size_t j = 0; j < 4; ++j) {
        const double w = drive.w(k, static_cast<Index>(j) * m + c);
        drive_value += phi.value[j] * w;
        drive_slope += phi.derivative[j] * w;
      }
      // dx(k+1) = e^z dx + h e^z x + h² Σ φ'_{j+1} w_j
      dx = factor * (dx + h * x) + h * h * drive_slope;
      x = factor * x + h * drive_value;
      response.x(k + 1, c) = x;
      if (with_derivative) response.dx(k + 1, c) = dx;
    }
  }
  response.e.resize(samples);
  response.te.resize(samples);
  for (Index k = 0; k < samples; ++k) {
    const double t = static_cast<double>(k) * h;
    response.e(k) = std::exp(pole * t);
    response.te(k) = t * response.e(k);
  }
  return response;
}

}  // namespace alembert::identify
