#include "alembert/identify/state_space/state_space.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "identify/state_space/innovations.hpp"
#include "identify/state_space/response_fit.hpp"
#include "identify/state_space/start_poles.hpp"
#include "support/message_of.hpp"

namespace alembert::identify::state_space_test {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr double kStep = 0.01;

// y(k) = Σ Re φ_r x_r(k) + D u(k), x_r(k+1) = z_r x_r(k) + b_rᵀ u(k), written out once more.
struct KnownSystem {
  std::vector<Complex> z;
  MatrixXcd drive;  // modes x inputs
  MatrixXcd shape;  // outputs x modes
  MatrixXd D;
};

KnownSystem known_system() {
  KnownSystem system;
  for (const auto& [f, zeta] : {std::pair{4.0, 0.01}, {11.0, 0.02}, {23.0, 0.008}}) {
    const double omega = 2.0 * std::numbers::pi * f;
    system.z.push_back(std::exp(kStep * omega * Complex(-zeta, std::sqrt(1.0 - zeta * zeta))));
  }
  RandomStream random(5);
  system.drive = MatrixXcd(3, 2);
  system.shape = MatrixXcd(4, 3);
  for (Complex& one : system.drive.reshaped()) one = {random.normal(), random.normal()};
  for (Complex& one : system.shape.reshaped()) one = {random.normal(), random.normal()};
  system.D = random.normal_vector(8).reshaped(4, 2);
  return system;
}

Experiment response_of(const KnownSystem& system, Index samples, std::uint64_t seed) {
  RandomStream random(seed);
  Experiment data{.input = MatrixXd(samples, 2), .output = MatrixXd(samples, 4), .step = kStep};
  for (Index j = 0; j < 2; ++j) data.input.col(j) = random.normal_vector(samples);
  VectorXcd x = VectorXcd::Constant(3, Complex(1.0, 0.5));
  for (Index k = 0; k < samples; ++k) {
    const VectorXd u = data.input.row(k).transpose();
    data.output.row(k) = ((system.shape * x).real() + system.D * u).transpose();
    for (Index r = 0; r < 3; ++r) {
      x(r) = system.z[static_cast<std::size_t>(r)] * x(r) + (system.drive.row(r) * u)(0);
    }
  }
  return data;
}

// Noise with a memory: n(k+1) = 0.9 n(k) + white, of the given share of each output.
void add_coloured_noise(Experiment& data, double share, std::uint64_t seed) {
  RandomStream random(seed);
  for (Index o = 0; o < data.output.cols(); ++o) {
    const double size = data.output.col(o).norm() / std::sqrt(static_cast<double>(data.samples()));
    double n = 0.0;
    for (Index k = 0; k < data.samples(); ++k) {
      n = 0.9 * n + std::sqrt(1.0 - 0.81) * random.normal();
      data.output(k, o) += share * size * n;
    }
  }
}

// Closed form: Markov parameter k >= 1 is Σ Re φ_r z_r^(k-1) b_rᵀ; the step response sums them.
// A search that stops at a relative fall of 1e-5 of a cost near rounding leaves far less than 1e-6.
TEST(StateSpace, RecoversASystemWithoutNoiseExactly) {
  const KnownSystem system = known_system();
  const Experiment data = response_of(system, 1200, 1);
  const StateSpace found =
      identify_state_space({data}, {}, {.order = 6, .form = StateSpaceForm::OutputError});
  ASSERT_TRUE(found.ok()) << found.message;
  ASSERT_EQ(found.model.F.rows(), 6);
  MatrixXd markov = found.model.G;
  double largest = 0.0;
  for (Index k = 1; k <= 60; ++k) {
    MatrixXd expected = MatrixXd::Zero(4, 2);
    for (Index r = 0; r < 3; ++r) {
      const Complex power =
          std::pow(system.z[static_cast<std::size_t>(r)], static_cast<double>(k - 1));
      expected += (power * system.shape.col(r) * system.drive.row(r)).real();
    }
    largest = std::max(largest, (found.model.H * markov - expected).norm() / expected.norm());
    markov = found.model.F * markov;
  }
  EXPECT_LT(largest, 1e-6);
  EXPECT_LT((found.model.J - system.D).norm(), 1e-6 * system.D.norm());
  EXPECT_GT(found.estimation.worst_fit(), 99.9999);
}

// H (wI - F)⁻¹ G + J against the sum over poles.
TEST(StateSpace, FrequencyResponseIsTheSumOverPoles) {
  const KnownSystem system = known_system();
  const StateSpace found = identify_state_space({response_of(system, 1200, 1)}, {}, {.order = 6});
  const VectorXd f = VectorXd::LinSpaced(40, 0.5, 49.0);
  const MatrixXcd lines = frequency_response(found.model, f);
  for (Index k = 0; k < f.size(); ++k) {
    const Complex w = std::polar(1.0, 2.0 * std::numbers::pi * f(k) * kStep);
    MatrixXcd expected = system.D.cast<Complex>();
    for (Index r = 0; r < 3; ++r) {
      const Complex z = system.z[static_cast<std::size_t>(r)];
      const MatrixXcd residue = system.shape.col(r) * system.drive.row(r);
      expected += 0.5 * (residue / (w - z) + residue.conjugate() / (w - std::conj(z)));
    }
    EXPECT_LT((lines.row(k).transpose() - expected.reshaped()).norm(), 1e-5 * expected.norm())
        << f(k);
  }
}

// The step response at k is D plus the sum of the first k Markov parameters.
TEST(StateSpace, StepResponseSumsMarkovParameters) {
  const DiscreteModel model{.F = MatrixXd::Constant(1, 1, 0.5),
                            .G = MatrixXd::Constant(1, 1, 2.0),
                            .H = MatrixXd::Constant(1, 1, 3.0),
                            .J = MatrixXd::Constant(1, 1, 0.25),
                            .gain = {},
                            .noise = {},
                            .start = MatrixXd::Zero(1, 1),
                            .step = 1.0};
  const MatrixXd every = step_response(model, 9);
  const MatrixXd second = step_response(model, 5, 2);
  for (Index k = 0; k < 9; ++k) {
    // 6 (1 - 0.5^k)/(1 - 0.5)
    EXPECT_NEAR(every(k, 0), 0.25 + 12.0 * (1.0 - std::pow(0.5, static_cast<double>(k))), 1e-13);
    if (k % 2 == 0) {
      EXPECT_EQ(second(k / 2, 0), every(k, 0));
    }
  }
}

// With the true innovations e: y(k) - ŷ(k|k-s) = e(k) + Σ_(i<s) H F^(i-1) Kg e(k-i), from the
// model.
TEST(StateSpace, PredictionsMissByTheInnovationsSinceThen) {
  DiscreteModel model{.F = (MatrixXd(2, 2) << 0.8, 0.5, -0.5, 0.8).finished(),
                      .G = (MatrixXd(2, 1) << 1.0, -0.5).finished(),
                      .H = (MatrixXd(2, 2) << 1.0, 0.0, 0.3, 1.0).finished(),
                      .J = (MatrixXd(2, 1) << 0.1, 0.0).finished(),
                      .gain = (MatrixXd(2, 2) << 0.4, 0.1, -0.2, 0.3).finished(),
                      .noise = MatrixXd::Identity(2, 2),
                      .start = MatrixXd::Zero(2, 1),
                      .step = kStep};
  RandomStream random(3);
  const Index samples = 60;
  Experiment data{
      .input = random.normal_vector(samples), .output = MatrixXd(samples, 2), .step = kStep};
  MatrixXd e(samples, 2);
  for (Index o = 0; o < 2; ++o) e.col(o) = random.normal_vector(samples);
  const Eigen::Vector2d start(0.7, -0.4);
  VectorXd x = start;
  for (Index k = 0; k < samples; ++k) {
    const VectorXd u = data.input.row(k).transpose();
    data.output.row(k) = (model.H * x + model.J * u).transpose() + e.row(k);
    x = model.F * x + model.G * u + model.gain * e.row(k).transpose();
  }
  for (const Index steps : {1, 2, 5}) {
    const MatrixXd missed = data.output - predict_ahead(model, data, start, steps);
    for (Index k = steps; k < samples; ++k) {
      VectorXd expected = e.row(k).transpose();
      MatrixXd power = model.gain;
      for (Index i = 1; i < steps; ++i) {
        expected += model.H * power * e.row(k - i).transpose();
        power = model.F * power;
      }
      EXPECT_LT((missed.row(k).transpose() - expected).norm(), 1e-12) << steps << " at " << k;
    }
  }
}

// States that noise moves beside the inputs: x(k+1) = z x + bᵀu + κᵀe.
struct DrivenByNoise {
  Experiment data;
  MatrixXd e;           // innovations
  DiscreteModel model;  // without gain
  MatrixXd simulated;   // by the true model without e
};

DrivenByNoise noise_driven(Index samples) {
  const KnownSystem system = known_system();
  RandomStream random(8);
  DrivenByNoise made{
      .data = {.input = MatrixXd(samples, 2), .output = MatrixXd(samples, 4), .step = kStep},
      .e = MatrixXd(samples, 4),
      .model = {},
      .simulated = MatrixXd(samples, 4)};
  for (Index j = 0; j < 2; ++j) made.data.input.col(j) = random.normal_vector(samples);
  made.model.F = MatrixXd::Zero(6, 6);
  made.model.H = MatrixXd(4, 6);
  for (Index r = 0; r < 3; ++r) {
    // (Re x, -Im x), so that y = Re φ Re x - Im φ Im x.
    const Complex z = system.z[static_cast<std::size_t>(r)];
    made.model.F.block<2, 2>(2 * r, 2 * r) << z.real(), z.imag(), -z.imag(), z.real();
    made.model.H.col(2 * r) = system.shape.col(r).real();
    made.model.H.col(2 * r + 1) = system.shape.col(r).imag();
  }
  // Kg = c F Hᵀ makes F - Kg H = F (I - c HᵀH), stable for c below 2/|HᵀH|: else e would not be
  // what the best predictor misses.
  const MatrixXd K = 0.05 * made.model.F * made.model.H.transpose();
  MatrixXcd gain(3, 4);
  for (Index r = 0; r < 3; ++r) {
    gain.row(r) = K.row(2 * r).cast<Complex>() - Complex(0.0, 1.0) * K.row(2 * r + 1);
  }
  for (Index o = 0; o < 4; ++o) made.e.col(o) = 2.0 * random.normal_vector(samples);
  VectorXcd x = VectorXcd::Zero(3);
  VectorXcd still = x;
  for (Index k = 0; k < samples; ++k) {
    const VectorXd u = made.data.input.row(k).transpose();
    const VectorXd own = made.e.row(k).transpose();
    made.data.output.row(k) = ((system.shape * x).real() + system.D * u + own).transpose();
    made.simulated.row(k) = ((system.shape * still).real() + system.D * u).transpose();
    for (Index r = 0; r < 3; ++r) {
      const Complex z = system.z[static_cast<std::size_t>(r)];
      const Complex force = (system.drive.row(r) * u)(0);
      x(r) = z * x(r) + force + (gain.row(r) * own)(0);
      still(r) = z * still(r) + force;
    }
  }
  return made;
}

// With the true F and H nothing predicts better than e. 24 unknowns from 24000 numbers cost 0.05 %
// of its rms in the mean; 0.5 % leaves room for the start, which the gain does not know.
TEST(InnovationGain, PredictsAsWellAsTheTrueOne) {
  const DrivenByNoise made = noise_driven(6000);
  const MatrixXd residual = made.data.output - made.simulated;
  const std::optional<state_space::GainFit> found =
      state_space::innovation_gain(made.model, {residual});
  ASSERT_TRUE(found);
  DiscreteModel model = made.model;
  model.G = MatrixXd::Zero(6, 1);
  model.J = MatrixXd::Zero(4, 1);
  model.gain = found->gain;
  const MatrixXd missed =
      residual -
      predict_ahead(model, {.input = MatrixXd::Zero(6000, 1), .output = residual, .step = kStep},
                    VectorXd::Zero(6), 1);
  EXPECT_LT(missed.norm(), 1.005 * made.e.norm());
  EXPECT_GT(residual.norm(), 1.2 * made.e.norm());
}

// Of what a true model gains one sample ahead over its simulation, most is left after everything
// was estimated. Poles and gain are not estimated together, so that not all of it is.
TEST(StateSpace, GainKeepsMostOfWhatPredictionsCanGain) {
  const DrivenByNoise made = noise_driven(6000);
  const StateSpace found = identify_state_space({made.data}, {}, {.order = 6});
  ASSERT_GT(found.model.gain.size(), 0) << found.notes.size();
  const MatrixXd missed =
      made.data.output - predict_ahead(found.model, made.data, found.model.start.col(0), 1);
  const double simulated = (made.data.output - made.simulated).norm();
  EXPECT_GT(simulated - missed.norm(), 0.8 * (simulated - made.e.norm()));
}

state_space::Samples small_samples() {
  RandomStream random(12);
  state_space::Samples samples{.inputs = {}, .outputs = {}, .step = kStep};
  for (const Index rows : {70, 50}) {
    MatrixXd u(rows, 2);
    MatrixXd y(rows, 3);
    for (Index j = 0; j < 2; ++j) u.col(j) = random.normal_vector(rows);
    for (Index o = 0; o < 3; ++o) y.col(o) = random.normal_vector(rows);
    samples.inputs.push_back(u);
    samples.outputs.push_back(y);
  }
  return samples;
}

// d cost/d p = -2 Jᵀe: central differences of the cost, with step h their error is h² of the third
// derivative; 1e-5 of the largest entry leaves room for that at h = 1e-5 and for rounding.
TEST(ResponseFit, GradientIsThatOfTheCost) {
  const state_space::Samples samples = small_samples();
  const state_space::ResponseProblem problem(samples, {});
  const state_space::Poles poles =
      problem.driven({Complex(0.6, 0.5), Complex(-0.3, 0.8), Complex(0.85, 0.0)});
  const state_space::Projected at = problem.project(poles);
  VectorXd expected(at.gradient.size());
  for (Index i = 0; i < expected.size(); ++i) {
    VectorXd step = VectorXd::Zero(expected.size());
    step(i) = 1e-5;
    const double upper = problem.project(problem.moved(poles, step)).cost;
    const double lower = problem.project(problem.moved(poles, -step)).cost;
    expected(i) = -(upper - lower) / 4e-5;
  }
  EXPECT_LT((at.gradient - expected).cwiseAbs().maxCoeff(), 1e-5 * expected.cwiseAbs().maxCoeff());
}

// The scores of all parts add up to the Newton step that is still to do.
TEST(ResponseFit, ScoresAddUpToTheGradient) {
  const state_space::Samples samples = small_samples();
  const state_space::ResponseProblem problem(samples, {});
  state_space::ResponseFit fit;
  fit.poles = problem.driven({Complex(0.6, 0.5), Complex(0.85, 0.0)});
  fit.at = problem.project(fit.poles);
  const state_space::BlockScores scores = state_space::block_scores(problem, fit, 7);
  const VectorXd sum = fit.at.normal * scores.unknowns.rowwise().sum();
  EXPECT_LT((sum - fit.at.gradient).norm(), 1e-9 * fit.at.gradient.norm());
}

TEST(StartPoles, ReflectsAndLeavesDriftOut) {
  const std::vector<Complex> all = {Complex(0.5, 1.0), Complex(0.9, 0.0), std::polar(0.999, 0.01),
                                    std::polar(0.98, 1.0)};
  const state_space::KeptPoles free =
      state_space::kept_poles(all, {.step = kStep, .largest_radius = 0.9999});
  ASSERT_EQ(free.poles.size(), 4U);
  EXPECT_EQ(free.reflected, 1);
  // 1/conj(z): the same angle, the inverse radius.
  EXPECT_NEAR(std::arg(free.poles[0]), std::arg(all[0]), 1e-14);
  EXPECT_NEAR(std::abs(free.poles[0]) * std::abs(all[0]), 1.0, 1e-14);
  const state_space::KeptPoles band =
      state_space::kept_poles(all, {.step = kStep, .largest_radius = 0.9999, .from_hz = 2.0});
  // The real pole is drift, and so is the one at 0.16 Hz.
  ASSERT_EQ(band.poles.size(), 2U);
  EXPECT_EQ(band.dropped, 3);
}

TEST(StateSpace, ChoosesTheOrderOnSamplesHeldOut) {
  Experiment data = response_of(known_system(), 3000, 4);
  add_coloured_noise(data, 0.02, 40);
  const StateSpace found = identify_state_space({data}, {}, {.largest_order = 14});
  EXPECT_EQ(found.model.F.rows(), 6) << found.reason;
  EXPECT_EQ(found.trials.size(), 7U);
  EXPECT_NE(found.reason.find("held out"), std::string::npos);
  EXPECT_EQ(found.verdict.level, TrustLevel::Good)
      << (found.verdict.reasons.empty() ? "" : found.verdict.reasons.front());
}

// Units change nothing: poles to rounding, B and C by their factors.
TEST(StateSpace, DoesNotDependOnUnits) {
  Experiment data = response_of(known_system(), 1500, 4);
  add_coloured_noise(data, 0.05, 41);
  Experiment scaled = data;
  scaled.input *= 1e-3;
  scaled.output.col(1) *= 1e4;
  const StateSpace one = identify_state_space({data}, {}, {.order = 6});
  const StateSpace two = identify_state_space({scaled}, {}, {.order = 6});
  ASSERT_EQ(one.poles.size(), two.poles.size());
  for (std::size_t i = 0; i < one.poles.size(); ++i) {
    EXPECT_NEAR(two.poles[i].frequency_hz, one.poles[i].frequency_hz, 1e-8);
  }
  const VectorXd f = VectorXd::LinSpaced(5, 3.0, 40.0);
  const MatrixXcd expected = 1e7 * frequency_response(one.model, f).col(1);
  EXPECT_LT((frequency_response(two.model, f).col(1) - expected).norm(), 1e-7 * expected.norm());
}

TEST(StateSpace, ValidatesOnRecordsWithAStartOfTheirOwn) {
  Experiment data = response_of(known_system(), 2000, 4);
  Experiment other = response_of(known_system(), 900, 5);
  add_coloured_noise(data, 0.02, 42);
  add_coloured_noise(other, 0.02, 43);
  const StateSpace found = identify_state_space({data}, {other}, {.order = 6});
  ASSERT_TRUE(found.validation);
  // 2 % of noise leave 98 % of fit; half a per cent for what the estimate costs.
  EXPECT_NEAR(found.validation->mean_fit(), 98.0, 0.5);
}

TEST(StateSpace, SaysThatHalvesDisagree) {
  KnownSystem system = known_system();
  Experiment data = response_of(system, 4000, 4);
  system.z[1] = std::polar(std::abs(system.z[1]), 1.02 * std::arg(system.z[1]));
  data.output.bottomRows(2000) = response_of(system, 4000, 4).output.bottomRows(2000);
  add_coloured_noise(data, 0.01, 44);
  const StateSpace found = identify_state_space({data}, {}, {.order = 6});
  EXPECT_EQ(found.verdict.level, TrustLevel::Caution);
  ASSERT_FALSE(found.verdict.reasons.empty());
  EXPECT_NE(found.verdict.reasons.front().find("halves"), std::string::npos)
      << found.verdict.reasons.front();
}

TEST(StateSpace, NamesWhatItCannotUse) {
  const Experiment data = response_of(known_system(), 400, 4);
  Experiment dead = data;
  dead.output.col(2).setZero();
  EXPECT_NE(test::message_of([&] {
              return identify_state_space({dead});
            }).find("output 3 is zero throughout"),
            std::string::npos);
  Experiment missing = data;
  missing.output(3, 1) = std::nan("");
  EXPECT_NE(
      test::message_of([&] { return identify_state_space({missing}); }).find("no missing samples"),
      std::string::npos);
  Experiment free = data;
  free.input.resize(400, 0);
  EXPECT_NE(test::message_of([&] { return identify_state_space({free}); }).find("must have inputs"),
            std::string::npos);
  const Experiment brief{
      .input = data.input.topRows(20), .output = data.output.topRows(20), .step = kStep};
  EXPECT_NE(test::message_of([&] { return identify_state_space({brief}); }).find("too short"),
            std::string::npos);
  EXPECT_THROW((void)predict_ahead({}, data, VectorXd(2), 1), InvalidInput);
}

}  // namespace
}  // namespace alembert::identify::state_space_test
