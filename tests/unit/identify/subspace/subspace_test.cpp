#include "alembert/identify/subspace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/core/error.hpp"
#include "alembert/model/modes.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "unit/identify/identify_records.hpp"
#include "unit/identify/subspace/subspace_data.hpp"

namespace alembert::identify {
namespace subspace_test {

using test::kEps;
using test::random_discrete;
using test::sorted_poles;
using test::transfer_error;
using test::white_record;
using testing::HasSubstr;

// Noise-free: what is left is rounding, amplified by the conditioning of the realisation (weak
// modes of random systems: singular values spread over up to 1e5).
constexpr double kExact = 1e-7;

struct Sizes {
  Eigen::Index order, inputs, outputs;
};

TEST(Subspace, RecoversSystemsWithoutNoise) {
  std::mt19937_64 engine(4711);
  RandomStream random(1);
  for (const Sizes& size : {Sizes{2, 1, 1}, Sizes{3, 2, 1}, Sizes{4, 1, 3}, Sizes{6, 3, 2},
                            Sizes{10, 2, 4}, Sizes{16, 3, 3}}) {
    const DiscreteModel truth = random_discrete(size.order, size.inputs, size.outputs, engine);
    const Experiments data{white_record(truth, 900, 0.0, random)};
    for (const auto weighting :
         {SubspaceWeighting::N4sid, SubspaceWeighting::Moesp, SubspaceWeighting::Cva}) {
      const SubspaceModel found = subspace(data, {.weighting = weighting, .order = size.order});
      ASSERT_TRUE(found.ok()) << found.message;
      EXPECT_TRUE(
          test::matrices_near((sorted_poles(found.model.F) - sorted_poles(truth.F)).cwiseAbs(),
                              Eigen::MatrixXd::Zero(size.order, 1), {.abs = kExact}))
          << size.order;
      EXPECT_LT(transfer_error(found.model, truth), kExact) << size.order;
      EXPECT_EQ(found.excitation.rank, found.excitation.full);
    }
  }
}

TEST(Subspace, FindsTheOrderAndTheStartStates) {
  std::mt19937_64 engine(99);
  RandomStream random(2);
  const DiscreteModel truth = random_discrete(6, 2, 2, engine);
  Experiments data{white_record(truth, 700, 0.0, random), white_record(truth, 500, 0.0, random)};
  const SubspaceModel found = subspace(data);
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_EQ(found.order, 6);
  // The model with its own start states must give the records back.
  for (Eigen::Index e = 0; e < 2; ++e) {
    const Experiment& record = data[static_cast<std::size_t>(e)];
    const Eigen::MatrixXd y = test::respond(found.model, record.input, found.model.start.col(e));
    EXPECT_LT(test::relative_error(y, record.output), kExact);
  }
  for (Experiment& record : data)
    record.output += 0.05 * test::normal_matrix(record.samples(), 2, random);
  const SubspaceModel noisy = subspace(data);
  EXPECT_EQ(noisy.order, 6);
  // 2400 output samples, 44 unknowns: 4 sigma of noise over signal is some per cent.
  EXPECT_LT(transfer_error(noisy.model, truth), 0.03);
}

// The eight modes of the frame, with white and with smooth forces.
TEST(Subspace, FindsTheOrderOfTheFrame) {
  EXPECT_EQ(subspace({test::frame_record(0.05, 0.0, 2500, 30.0, 5)}, {.innovation = false}).order,
            16);
  const SubspaceModel smooth = subspace({test::frame_record(0.02, 0.05, 2000, 40.0, 6)},
                                        {.horizon = 15, .innovation = false});
  EXPECT_EQ(smooth.order, 16);
}

// Systems without structure, at steps and noise of all kinds. Over 320 others 93 % of the orders
// were right, and of the 299 that came without a warning all but two: of 30, five wrong ones and
// one silent among them are three standard deviations off.
TEST(Subspace, FindsTheOrderOfRandomSystemsOrWarns) {
  std::mt19937_64 engine(31);
  RandomStream random(32);
  int wrong = 0;
  int silently = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Eigen::Index n = 1 + static_cast<Eigen::Index>(random.below(4));
    const model::SecondOrder system = test::random_system(n, n, engine);
    double fastest = 0.0;
    for (const model::DampedMode& mode : model::damped_modes(system)) {
      fastest = std::max(fastest, std::abs(mode.pole));
    }
    const test::RecordOptions records{.samples = 1500,
                                      .step = random.uniform(0.1, 0.8) / fastest,
                                      .knot_step = 0.0,
                                      .snr_db = random.uniform(20.0, 45.0)};
    const SubspaceModel found =
        subspace({test::simulated_experiment(system, test::all_sensed(n), records, seed)},
                 {.innovation = false});
    if (found.order == 2 * n) continue;
    ++wrong;
    if (found.warnings.empty()) ++silently;
  }
  EXPECT_LE(wrong, 5);
  EXPECT_LE(silently, 1);
}

// Records add up: two of them are worth as much as one of twice the length, and the error falls
// with the root of the number of samples.
TEST(Subspace, SeveralExperimentsReduceTheError) {
  std::mt19937_64 engine(5);
  RandomStream random(3);
  const DiscreteModel truth = random_discrete(4, 2, 2, engine);
  Experiments data;
  std::vector<double> errors;
  for (int i = 0; i < 16; ++i) {
    data.push_back(white_record(truth, 200, 0.3, random));
    if (i == 0 || i == 15) {
      errors.push_back(transfer_error(subspace(data, {.order = 4, .horizon = 8}).model, truth));
    }
  }
  // Expected ratio 4; a factor 2 either way for the scatter of single errors.
  EXPECT_LT(errors[1], errors[0] / 2.0);
}

TEST(Subspace, UnitsChangeNothing) {
  std::mt19937_64 engine(6);
  RandomStream random(4);
  const DiscreteModel truth = random_discrete(4, 2, 2, engine);
  Experiments data{white_record(truth, 600, 0.1, random)};
  const SubspaceModel plain = subspace(data, {.order = 4, .horizon = 10});
  data[0].input.col(1) *= 1e6;
  data[0].output.col(0) *= 1e-5;
  SubspaceModel scaled = subspace(data, {.order = 4, .horizon = 10});
  scaled.model.G.col(1) *= 1e6;
  scaled.model.J.col(1) *= 1e6;
  scaled.model.H.row(0) *= 1e5;
  scaled.model.J.row(0) *= 1e5;
  // Rounding of 600 products and a factorisation of 80 rows.
  EXPECT_LT(transfer_error(scaled.model, plain.model), 1e-9);
}

// With every third sample the poles are the cubes. The input is held over whole strides, so that
// nothing is lost between the samples used.
TEST(Subspace, StrideGivesPowersOfThePoles) {
  std::mt19937_64 engine(11);
  RandomStream random(6);
  DiscreteModel truth = random_discrete(4, 1, 2, engine);
  // Angles below π/3 do not alias.
  truth.F = 0.95 * Eigen::MatrixXd::Identity(4, 4);
  truth.F(0, 1) = 0.2;
  truth.F(1, 0) = -0.2;
  truth.F(2, 3) = 0.45;
  truth.F(3, 2) = -0.45;
  truth.F *= 0.9;
  Eigen::MatrixXd u(1200, 1);
  for (Eigen::Index k = 0; k < 1200; ++k) u(k, 0) = k % 3 == 0 ? random.normal() : u(k - 1, 0);
  const Experiments data{{u, test::respond(truth, u, Eigen::VectorXd::Ones(4)), truth.step}};
  // Only the phase that begins with each new value sees a held input; make it the only one.
  Experiments phase{{Eigen::MatrixXd(400, 1), Eigen::MatrixXd(400, 2), 3.0 * truth.step}};
  for (Eigen::Index k = 0; k < 400; ++k) {
    phase[0].input.row(k) = data[0].input.row(3 * k);
    phase[0].output.row(k) = data[0].output.row(3 * k);
  }
  const Eigen::MatrixXd cube = truth.F * truth.F * truth.F;
  const SubspaceModel one = subspace(phase, {.order = 4, .horizon = 8});
  EXPECT_LT((sorted_poles(one.model.F) - sorted_poles(cube)).norm(), kExact);
  // Free motion has no input to lose: stride 3 on the raw record.
  Eigen::MatrixXd rest = Eigen::MatrixXd::Zero(400, 1);
  rest.col(0) = 1e-3 * random.normal_vector(400);
  DiscreteModel free = truth;
  free.G.setZero();
  free.J.setZero();
  const Experiments decay{
      {rest.topRows(120), test::respond(free, rest.topRows(120), Eigen::VectorXd::Ones(4)), 0.1}};
  const SubspaceModel strided = subspace(decay, {.order = 4, .horizon = 4, .stride = 3});
  EXPECT_LT((sorted_poles(strided.model.F) - sorted_poles(cube)).norm(), 1e-6);
  EXPECT_NEAR(strided.model.step, 0.3, 4 * kEps);
}

TEST(Subspace, WithoutFeedthroughJIsZero) {
  std::mt19937_64 engine(12);
  RandomStream random(7);
  DiscreteModel truth = random_discrete(4, 2, 2, engine);
  truth.J.setZero();
  const SubspaceModel found =
      subspace({white_record(truth, 500, 0.0, random)}, {.order = 4, .feedthrough = false});
  EXPECT_EQ(found.model.J, Eigen::MatrixXd::Zero(2, 2));
  EXPECT_LT(transfer_error(found.model, truth), kExact);
}

// Innovation form: data of x⁺ = F x + G u + w, y = H x + J u + v with white w and v. The
// innovations of its Kalman filter have a covariance that follows from the Riccati equation;
// prediction errors of the model found must have it and be white.
TEST(Subspace, InnovationsAreWhite) {
  std::mt19937_64 engine(13);
  RandomStream random(8);
  DiscreteModel truth = random_discrete(4, 1, 2, engine);
  const Eigen::Index N = 4000;
  const double q = 0.3;
  const double r = 0.2;
  Eigen::MatrixXd P = Eigen::MatrixXd::Identity(4, 4);
  Eigen::MatrixXd S;
  for (int step = 0; step < 1000; ++step) {
    S = truth.H * P * truth.H.transpose() + r * r * Eigen::MatrixXd::Identity(2, 2);
    truth.gain = truth.F * P * truth.H.transpose() * S.inverse();
    P = truth.F * P * truth.F.transpose() + q * q * Eigen::MatrixXd::Identity(4, 4) -
        truth.gain * S * truth.gain.transpose();
  }
  const Eigen::MatrixXd u = test::normal_matrix(N, 1, random);
  const Eigen::MatrixXd w = q * test::normal_matrix(N, 4, random);
  Eigen::MatrixXd y = r * test::normal_matrix(N, 2, random);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(4);
  for (Eigen::Index k = 0; k < N; ++k) {
    y.row(k) += (truth.H * x + truth.J * u.row(k).transpose()).transpose();
    x = truth.F * x + truth.G * u.row(k).transpose() + w.row(k).transpose();
  }
  for (const auto weighting : {SubspaceWeighting::Moesp, SubspaceWeighting::Cva}) {
    const SubspaceModel found =
        subspace({{u, y, 0.1}}, {.weighting = weighting, .order = 4, .horizon = 15});
    ASSERT_TRUE(found.ok()) << found.message;
    const DiscreteModel& model = found.model;
    EXPECT_LT((model.F - model.gain * model.H).eigenvalues().cwiseAbs().maxCoeff(), 1.0);
    x = model.start.col(0);
    Eigen::MatrixXd errors(N, 2);
    for (Eigen::Index k = 0; k < N; ++k) {
      const Eigen::VectorXd error =
          y.row(k).transpose() - model.H * x - model.J * u.row(k).transpose();
      errors.row(k) = error.transpose();
      x = model.F * x + model.G * u.row(k).transpose() + model.gain * error;
    }
    // A variance from 4000 samples scatters by sqrt(2/4000) = 2.2 %: four sigma are 9 %; as much
    // again for the estimated model.
    const Eigen::MatrixXd tail = errors.bottomRows(N - 100);
    const Eigen::Matrix2d covariance = tail.transpose() * tail / static_cast<double>(tail.rows());
    EXPECT_TRUE(test::matrices_near(covariance, S, {.rel = 0.18}));
    EXPECT_TRUE(test::matrices_near(model.noise, S, {.rel = 0.18}));
    // Correlations at single lags: five sigma of 1/sqrt(N), as the gain is estimated too.
    for (Eigen::Index lag = 1; lag <= 5; ++lag) {
      for (Eigen::Index c = 0; c < 2; ++c) {
        const Eigen::VectorXd z = tail.col(c);
        const double correlation =
            z.head(z.size() - lag).dot(z.tail(z.size() - lag)) / z.squaredNorm();
        EXPECT_LT(std::abs(correlation), 5.0 / std::sqrt(static_cast<double>(N))) << lag;
      }
    }
    // Without a gain the same noise is much larger: the process noise accumulates in the state.
    const SubspaceModel plain = subspace(
        {{u, y, 0.1}}, {.weighting = weighting, .order = 4, .horizon = 15, .innovation = false});
    EXPECT_GT(plain.model.noise.trace(), 1.5 * model.noise.trace());
    EXPECT_EQ(plain.model.gain.size(), 0);
  }
}

// Without any input the poles come from the noise that drives the system.
TEST(Subspace, WorksOnOutputsAlone) {
  std::mt19937_64 engine(17);
  RandomStream random(14);
  DiscreteModel truth = random_discrete(4, 4, 2, engine);
  truth.J.setZero();
  truth.G = Eigen::MatrixXd::Identity(4, 4);
  Experiment record = white_record(truth, 6000, 0.1, random);
  record.input.resize(6000, 0);
  const SubspaceModel found = subspace({record}, {.weighting = SubspaceWeighting::Cva, .order = 4});
  ASSERT_TRUE(found.ok()) << found.message;
  // A pole of radius 0.9 scatters by about sqrt((1 - 0.81)/6000) = 0.006; five sigma and a margin
  // of two for two poles seen by two noisy outputs.
  EXPECT_LT((sorted_poles(found.model.F) - sorted_poles(truth.F)).cwiseAbs().maxCoeff(), 0.06);
  EXPECT_EQ(found.model.G.cols(), 0);
  EXPECT_GT(found.model.gain.norm(), 0.0);
}

TEST(Subspace, UnstableSystemsAreFoundAndNamed) {
  DiscreteModel truth;
  truth.F = (Eigen::Matrix2d() << 1.01 * std::cos(0.4), 1.01 * std::sin(0.4), -1.01 * std::sin(0.4),
             1.01 * std::cos(0.4))
                .finished();
  truth.G = Eigen::Vector2d(1.0, 0.5);
  truth.H = Eigen::RowVector2d(1.0, -1.0);
  truth.J = Eigen::MatrixXd::Zero(1, 1);
  truth.step = 0.1;
  RandomStream random(9);
  const SubspaceModel found = subspace({white_record(truth, 600, 0.0, random)}, {.order = 2});
  EXPECT_EQ(found.status, Status::Unstable);
  EXPECT_THAT(found.message, HasSubstr("magnitude 1.01"));
  EXPECT_LT(transfer_error(found.model, truth), kExact);
}

// A double integrator has one eigenvector for two poles.
TEST(Subspace, DoublePolesWithOneEigenvector) {
  DiscreteModel truth;
  truth.F = (Eigen::Matrix2d() << 0.9, 1.0, 0.0, 0.9).finished();
  truth.G = Eigen::Vector2d(0.0, 1.0);
  truth.H = Eigen::RowVector2d(1.0, 0.0);
  truth.J = Eigen::MatrixXd::Zero(1, 1);
  truth.step = 1.0;
  RandomStream random(10);
  const SubspaceModel found = subspace({white_record(truth, 400, 0.0, random)}, {.order = 2});
  ASSERT_TRUE(found.ok()) << found.message;
  // A part in 1e10 in F moves a double pole by 1e-5 and the response by 1e-10/(1 - 0.9)².
  EXPECT_LT(transfer_error(found.model, truth), kExact);
}

TEST(Subspace, NamesDeadAndEqualInputs) {
  std::mt19937_64 engine(15);
  RandomStream random(11);
  const DiscreteModel truth = random_discrete(4, 3, 2, engine);
  Experiment record = white_record(truth, 500, 0.1, random);
  record.input.col(1).setZero();
  SubspaceModel found = subspace({record}, {.order = 4, .horizon = 8});
  EXPECT_EQ(found.status, Status::NotIdentifiable);
  EXPECT_THAT(found.message, HasSubstr("input 2 is zero"));
  EXPECT_EQ(found.excitation.rank, 32);
  EXPECT_EQ(found.excitation.full, 48);
  record.input.col(1) = -3.0 * record.input.col(2);
  found = subspace({record}, {.order = 4, .horizon = 8});
  EXPECT_EQ(found.status, Status::NotIdentifiable);
  EXPECT_THAT(found.message, HasSubstr("inputs 2 and 3 are proportional"));
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_THAT(found.warnings.front(), HasSubstr("rank 32 of 48"));
}

TEST(Subspace, PureNoiseHasNoOrder) {
  RandomStream random(12);
  const SubspaceModel found =
      subspace({{test::normal_matrix(1500, 1, random), test::normal_matrix(1500, 2, random), 0.1}});
  EXPECT_EQ(found.status, Status::NotIdentifiable);
  EXPECT_THAT(found.message, HasSubstr("above the noise"));
}

TEST(Subspace, RejectsBadInput) {
  std::mt19937_64 engine(16);
  RandomStream random(13);
  const DiscreteModel truth = random_discrete(4, 1, 1, engine);
  Experiment record = white_record(truth, 300, 0.1, random);
  const auto message = [&](const SubspaceOptions& options) {
    return test::message_of([&] { (void)subspace({record}, options); });
  };
  EXPECT_THAT(message({.order = 12, .horizon = 10}),
              HasSubstr("subspace: order must be in [1, 9], got 12 (horizon = 10, 1 outputs)"));
  EXPECT_THAT(message({.order = 4, .horizon = 90}), HasSubstr("too short for horizon 90"));
  EXPECT_THAT(message({.order = 200}), HasSubstr("too short"));
  EXPECT_THAT(message({.stride = 0}), HasSubstr("stride"));
  EXPECT_THAT(message({.order = -1}), HasSubstr("order"));
  record.output(7, 0) = std::nan("");
  EXPECT_THAT(message({.order = 4}), HasSubstr("missing samples"));
}

TEST(Stabilisation, ShowsTheModesOfTheFrame) {
  const Experiments data{test::frame_record(0.05, 0.0, 2500, 40.0, 21)};
  const std::vector<StabilisationRow> rows = stabilisation(data, 20, {.horizon = 8});
  for (const model::DampedMode& mode : model::damped_modes(test::frame_8dof())) {
    bool found = false;
    for (const StabilisationRow& row : rows) {
      // 1 % noise on 2500 samples of a mode with 2 % damping: far below 1 % in frequency.
      found = found || (row.order >= 16 && row.stable_shape &&
                        std::abs(row.frequency_hz - mode.frequency_hz) < 0.01 * mode.frequency_hz &&
                        std::abs(row.damping - mode.damping_ratio) < 0.1 * mode.damping_ratio);
    }
    EXPECT_TRUE(found) << mode.frequency_hz;
  }
  EXPECT_EQ(rows.front().order, 2);
  EXPECT_FALSE(rows.front().stable_frequency);
  EXPECT_THAT(test::message_of([&] { (void)stabilisation(data, 1); }), HasSubstr("highest"));
}

}  // namespace subspace_test
}  // namespace alembert::identify
