#include "alembert/identify/modes/frf_modes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/model/modes.hpp"
#include "core/algebra/decompositions.hpp"
#include "support/message_of.hpp"
#include "unit/identify/modes/modal_systems.hpp"

namespace alembert::identify::frf_modes_test {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using test::add_noise;
using test::frf_of;
using test::KnownMode;
using test::random_modes;

const std::vector<double> kFrequencies = {12.0, 23.0, 31.0, 31.31, 47.0, 58.0, 71.0, 85.0};
const std::vector<double> kDampings = {0.01, 0.02, 0.005, 0.008, 0.03, 0.004, 0.015, 0.01};

// Without noise the model is exact: the poles come out to rounding, amplified by the normal
// equations, whose condition is that of the data squared (1e-16 to about 1e-8).
TEST(Plscf, FindsThePolesOfExactResponses) {
  const auto modes = random_modes({20.0, 40.0, 70.0}, {0.01, 0.02, 0.005}, 4, 2, 1);
  const FrfData data = frf_of(modes, 400, 5.0, 95.0);
  const auto orders = plscf_poles(data, {.smallest_order = 2, .largest_order = 12});
  ASSERT_EQ(orders.size(), 11u);
  for (const KnownMode& mode : modes) {
    double nearest = 1e300;
    VectorXcd row;
    for (const FrfPole& pole : orders.back().poles) {
      const double distance = std::abs(pole.pole - mode.pole());
      if (distance < nearest) {
        nearest = distance;
        row = pole.participation;
      }
    }
    EXPECT_LT(nearest, 1e-4 * std::abs(mode.pole())) << mode.frequency_hz;
    // The participation is the shape at the forces.
    EXPECT_GT(model::mac(row, mode.inputs.cast<Complex>()), 1.0 - 1e-6);
  }
}

// The residual cost of the linearised problem, built densely row by row without sequences and
// without elimination, is least at the coefficients that the sequences give.
TEST(Plscf, AgreesWithTheDenseNormalEquations) {
  const auto modes = random_modes({20.0, 40.0}, {0.02, 0.03}, 3, 2, 2);
  FrfData data = frf_of(modes, 60, 5.0, 60.0);
  add_noise(data, 1e-6, 3);
  const int p = 4;
  const Index m = 2;
  const Index l = 3;
  MatrixXd J = MatrixXd::Zero(2 * 60 * l, (p + 1) * (l + m));
  for (Index k = 0; k < 60; ++k) {
    const double theta = std::numbers::pi * static_cast<double>(k) / 59.0;
    for (Index o = 0; o < l; ++o) {
      for (int d = 0; d <= p; ++d) {
        const Complex z = std::polar(1.0, d * theta);
        const Index row = 2 * (k * l + o);
        J(row, o * (p + 1) + d) = z.real();
        J(row + 1, o * (p + 1) + d) = z.imag();
        for (Index i = 0; i < m; ++i) {
          const Complex entry = -data.values(k, i * l + o) * z;
          J(row, (p + 1) * l + d * m + i) = entry.real();
          J(row + 1, (p + 1) * l + d * m + i) = entry.imag();
        }
      }
    }
  }
  // A_0 = I: the unknowns are B and A_1 .. A_p.
  MatrixXd left(J.rows(), J.cols() - m);
  left << J.leftCols((p + 1) * l), J.rightCols(p * m);
  const MatrixXd right = -J.middleCols((p + 1) * l, m);
  const MatrixXd dense = Eigen::ColPivHouseholderQR<MatrixXd>(left).solve(right).bottomRows(p * m);
  MatrixXd block = MatrixXd::Zero(p * m, p * m);
  for (int k = 0; k < p; ++k) block.block(0, k * m, m, m) = -dense.middleRows(k * m, m);
  block.bottomLeftCorner((p - 1) * m, (p - 1) * m).setIdentity();
  const VectorXcd w = Eigen::EigenSolver<MatrixXd>(block, false).eigenvalues();
  const auto orders = plscf_poles(data, {.smallest_order = p, .largest_order = p});
  ASSERT_EQ(orders.size(), 1u);
  ASSERT_FALSE(orders.front().poles.empty());
  for (const FrfPole& pole : orders.front().poles) {
    double nearest = 1e300;
    for (const Complex& one : w) {
      const Complex lambda =
          2.0 * 55.0 * std::log(1.0 / one) + Complex(0.0, 2.0 * std::numbers::pi * 5.0);
      nearest = std::min(nearest, std::abs(lambda - pole.pole));
    }
    // The normal equations square a condition of about 1e4: 1e-16 to 1e-8.
    EXPECT_LT(nearest, 1e-6 * std::abs(pole.pole));
  }
}

// Exact data: cost falls to rounding, poles and residues are those of the system.
TEST(ModalFit, RecoversAnExactModel) {
  const auto modes = random_modes({20.0, 40.0, 41.0}, {0.01, 0.02, 0.005}, 5, 2, 4);
  const FrfData data = frf_of(modes, 300, 5.0, 70.0);
  std::vector<FrfPole> start;
  for (const KnownMode& mode : modes) {
    start.push_back({mode.pole() * Complex(1.001, 1e-4), mode.inputs.cast<Complex>()});
  }
  const ModalFit fit = fit_modal_model(data, start);
  EXPECT_LT(fit.cost, 1e-16 * data.values.squaredNorm());
  for (std::size_t r = 0; r < modes.size(); ++r) {
    EXPECT_LT(std::abs(fit.modes[r].pole - modes[r].pole()), 1e-8 * std::abs(modes[r].pole()));
    // Residue φ φ_j/(2i ω_d) of unit modal mass.
    const MatrixXcd residue =
        fit.shapes.col(static_cast<Index>(r)) * fit.modes[r].participation.transpose();
    const MatrixXcd expected = (modes[r].outputs * modes[r].inputs.transpose()).cast<Complex>() /
                               Complex(0.0, 2.0 * modes[r].pole().imag());
    EXPECT_LT((residue - expected).norm(), 1e-6 * expected.norm());
  }
}

// The gradient is zero at the optimum: moving any pole either way raises the cost of the full
// problem, in which shapes are solved again by a dense least squares of our own.
TEST(ModalFit, EndsAtAMinimumOfTheCost) {
  const auto modes = random_modes({20.0, 40.0}, {0.01, 0.02}, 3, 1, 5);
  FrfData data = frf_of(modes, 200, 5.0, 60.0);
  add_noise(data, 2e-6, 6);
  std::vector<FrfPole> start;
  for (const KnownMode& mode : modes) start.push_back({mode.pole(), VectorXcd::Ones(1)});
  const ModalFit fit = fit_modal_model(data, start);
  const auto cost_at = [&](const std::vector<Complex>& poles) {
    MatrixXd X(2 * data.lines(), 2 * 2 + 3);
    MatrixXd Y(2 * data.lines(), 3);
    for (Index k = 0; k < data.lines(); ++k) {
      const double f = data.frequencies_hz(k);
      const Complex s(0.0, 2.0 * std::numbers::pi * f);
      for (Index r = 0; r < 2; ++r) {
        const Complex P = 1.0 / (s - poles[static_cast<std::size_t>(r)]);
        const Complex Q = 1.0 / (s - std::conj(poles[static_cast<std::size_t>(r)]));
        const Complex first = P + Q;
        const Complex second = Complex(0.0, 1.0) * (P - Q);
        X.block<2, 2>(2 * k, 2 * r) << first.real(), second.real(), first.imag(), second.imag();
      }
      X.block<1, 3>(2 * k, 4) << 1.0, std::pow(f / 60.0, 2), std::pow(5.0 / f, 2);
      X.block<1, 3>(2 * k + 1, 4).setZero();
      Y.row(2 * k) = data.values.row(k).real();
      Y.row(2 * k + 1) = data.values.row(k).imag();
    }
    const MatrixXd c = Eigen::ColPivHouseholderQR<MatrixXd>(X).solve(Y);
    return (Y - X * c).squaredNorm() / 4e-12;
  };
  const std::vector<Complex> best = {fit.modes[0].pole, fit.modes[1].pole};
  const double least = cost_at(best);
  EXPECT_NEAR(fit.cost, least, 1e-9 * least);
  for (std::size_t r = 0; r < 2; ++r) {
    for (const Complex& direction : {Complex(1.0, 0.0), Complex(0.0, 1.0)}) {
      std::vector<Complex> up = best;
      std::vector<Complex> down = best;
      const double step = 1e-5 * std::abs(best[r]);
      up[r] += step * direction;
      down[r] -= step * direction;
      const double rise = cost_at(up) + cost_at(down) - 2.0 * least;
      EXPECT_GT(rise, 0.0);
      // A slope would make one side lower than the other by far more than the curvature does.
      EXPECT_LT(std::abs(cost_at(up) - cost_at(down)), 0.05 * rise);
    }
  }
}

// Frequencies and damping within their deviations: 20 seeds x 2 modes x 2 numbers. The number of
// those within 1.96 deviations is binomial(80, 0.95): below 69 with probability 1e-4.
TEST(ModalFit, DeviationsCover) {
  const auto modes = random_modes({20.0, 40.0}, {0.01, 0.02}, 4, 2, 7);
  const FrfData exact = frf_of(modes, 250, 5.0, 60.0);
  std::vector<FrfPole> start;
  for (const KnownMode& mode : modes) {
    start.push_back({mode.pole(), mode.inputs.cast<Complex>()});
  }
  int covered = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    FrfData data = exact;
    add_noise(data, 3e-6, seed);
    const ModalFit fit = fit_modal_model(data, start);
    // s² of 4000 numbers: 1 ± 5 √(2/4000).
    EXPECT_NEAR(fit.variance, 1.0, 0.12);
    for (Index r = 0; r < 2; ++r) {
      const KnownMode& truth = modes[static_cast<std::size_t>(r)];
      const FrfPole& found = fit.modes[static_cast<std::size_t>(r)];
      covered +=
          std::abs(found.frequency_hz() - truth.frequency_hz) < 1.96 * fit.frequency_deviation(r);
      covered +=
          std::abs(found.damping_ratio() - truth.damping_ratio) < 1.96 * fit.damping_deviation(r);
    }
  }
  EXPECT_GE(covered, 69);
}

// Eight modes, two of them 1 % apart, at 40 dB below the largest response: all found, none more,
// with and without known deviations, each within 5 deviations and with its shape.
TEST(IdentifyFrfModes, FindsCloseModesAndNoOthers) {
  const auto modes = random_modes(kFrequencies, kDampings, 8, 2, 11);
  for (const bool known : {true, false}) {
    FrfData data = frf_of(modes, 951, 5.0, 100.0);
    add_noise(data, 0.01 * std::sqrt(data.values.squaredNorm() / (2.0 * 951 * 16)), 12);
    if (!known) data.line_deviation.resize(0);
    const FrfModes found = identify_frf_modes(data);
    ASSERT_TRUE(found.ok()) << found.message;
    ASSERT_EQ(found.modes.size(), kFrequencies.size()) << known;
    EXPECT_EQ(found.deviations_estimated, !known);
    for (std::size_t r = 0; r < modes.size(); ++r) {
      const Mode& mode = found.modes[r];
      EXPECT_NEAR(mode.frequency_hz, kFrequencies[r], 5.0 * mode.frequency_deviation);
      EXPECT_NEAR(mode.damping_ratio, kDampings[r], 5.0 * mode.damping_deviation);
      EXPECT_GT(model::mac(mode.shape, modes[r].outputs.cast<Complex>()), 0.98);
      EXPECT_GT(mode.collinearity, 0.9);
    }
  }
}

TEST(IdentifyFrfModes, FindsNothingInNoise) {
  FrfData data;
  data.outputs = 3;
  data.inputs = 1;
  data.frequencies_hz = Eigen::VectorXd::LinSpaced(400, 1.0, 100.0);
  data.values = MatrixXcd::Zero(400, 3);
  add_noise(data, 1.0, 21);
  const FrfModes found = identify_frf_modes(data);
  EXPECT_EQ(found.status, Status::NotIdentifiable);
  EXPECT_NE(found.message.find("no mode"), std::string::npos);
}

// A mode whose frequency moves by 0.03 % between averages, a third of its width, 60 dB above the
// noise: no single term describes its lines, and two would. It is one mode; the mean of the three
// frequencies is 40 Hz, and no estimate between them can be off by more than 0.012 Hz.
TEST(IdentifyFrfModes, ReportsAModeThatMovesOnce) {
  FrfData data = frf_of(random_modes({20.0, 39.988}, {0.01, 4e-4}, 1, 1, 3), 900, 15.0, 60.0);
  for (const double f : {40.0, 40.012}) {
    data.values += frf_of(random_modes({20.0, f}, {0.01, 4e-4}, 1, 1, 3), 900, 15.0, 60.0).values;
  }
  data.values /= 3.0;
  add_noise(data, 1e-3 * data.values.cwiseAbs().maxCoeff(), 4);
  data.line_deviation.resize(0);
  const FrfModes found = identify_frf_modes(data);
  ASSERT_EQ(found.modes.size(), 2u);
  EXPECT_NEAR(found.modes[1].frequency_hz, 40.0, 0.012);
}

// One line that is off by 300 deviations makes a narrow term with a large drop, but no mode.
TEST(IdentifyFrfModes, TakesNoSingleLineForAMode) {
  FrfData data = frf_of(random_modes({20.0, 40.0}, {0.01, 0.02}, 3, 1, 5), 400, 5.0, 60.0);
  add_noise(data, 1e-6, 6);
  data.values.row(290).array() += Complex(3e-4, -3e-4);
  EXPECT_EQ(identify_frf_modes(data).modes.size(), 2u);
}

TEST(IdentifyFrfModes, TakesTheWindowsOfTheUser) {
  const auto modes = random_modes({20.0, 40.0, 70.0}, {0.01, 0.02, 0.005}, 4, 1, 1);
  FrfData data = frf_of(modes, 400, 5.0, 95.0);
  add_noise(data, 1e-6, 2);
  FrfModesOptions options;
  options.windows = {{.from_hz = 30.0, .to_hz = 50.0, .keep = false}};
  const FrfModes found = identify_frf_modes(data, options);
  ASSERT_EQ(found.modes.size(), 2u);
  EXPECT_NEAR(found.modes[0].frequency_hz, 20.0, 0.1);
  EXPECT_NEAR(found.modes[1].frequency_hz, 70.0, 0.1);
  options.windows = {{.from_hz = 30.0, .to_hz = 50.0}};
  const FrfModes only = identify_frf_modes(data, options);
  ASSERT_EQ(only.modes.size(), 1u);
  EXPECT_NEAR(only.modes[0].frequency_hz, 40.0, 0.1);
}

TEST(ModeSet, KnowsTheFiguresOfShapes) {
  VectorXcd line(3);
  line << Complex(1.0, 1.0), Complex(-2.0, -2.0), Complex(0.5, 0.5);
  EXPECT_NEAR(modal_phase_collinearity(line), 1.0, 1e-14);
  EXPECT_NEAR(mean_phase_deviation(line), 0.0, 1e-7);  // acos near 1 halves the digits
  // A wave that travels: entries on a circle have no line.
  VectorXcd circle(4);
  circle << Complex(1, 0), Complex(0, 1), Complex(-1, 0), Complex(0, -1);
  EXPECT_NEAR(modal_phase_collinearity(circle), 0.0, 1e-14);
  EXPECT_NEAR(extended_mac(line, line.conjugate()), 1.0, 1e-14);
}

TEST(FrfData, RefusesWhatItCannotUse) {
  FrfData data = frf_of(random_modes({20.0}, {0.01}, 2, 1, 1), 50, 5.0, 60.0);
  data.frequencies_hz(7) = data.frequencies_hz(6);
  EXPECT_NE(test::message_of([&] { (void)identify_frf_modes(data); }).find("frequency of line 8"),
            std::string::npos);
  data = frf_of(random_modes({20.0}, {0.01}, 2, 1, 1), 50, 5.0, 60.0);
  data.values(3, 1) = std::nan("");
  EXPECT_NE(test::message_of([&] { (void)plscf_poles(data); }).find("real part of values"),
            std::string::npos);
}

}  // namespace
}  // namespace alembert::identify::frf_modes_test
