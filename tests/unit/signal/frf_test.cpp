#include "alembert/signal/frf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "alembert/core/random.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "unit/signal/frf_support.hpp"

namespace alembert::signal {
namespace frf_test {

using test::kEps;
using test::matrices_near;
using test::message_of;
using testing::HasSubstr;

// Leakage of random records acts as noise that lowers the coherence, so that the reported deviation
// knows it: |error| stays below 6 of them on 2000 lines (probability 2000 exp(-6²/2) = 3e-5). The
// bias, of order (time constant / segment)² = 6e-6, is far below. Lines next to the mean that was
// taken off are left out.
TEST(EstimateFrf, ClosedFormOfAResonantFilter) {
  const Eigen::VectorXd u = white(200000, 1);
  const FrfResult frf =
      estimate_frf({{u, kResonant(u)}}, kStep, {.welch = {.segment_samples = 4096}});
  ASSERT_TRUE(frf.ok());
  EXPECT_EQ(frf.warning, "");
  ASSERT_EQ(frf.frequencies_hz.size(), 2049);
  for (std::size_t k = 3; k < 2046; ++k) {
    const Complex expected = kResonant.response(frf.frequencies_hz(static_cast<Eigen::Index>(k)));
    const double deviation = frf.magnitude_deviation[k](0, 0);
    ASSERT_LT(std::abs(at(frf, k) - expected), 6.0 * deviation + 6e-6) << k;
    ASSERT_LT(deviation, 1e-3 * std::abs(expected)) << k;
  }
}

// Periodic records leave no leakage: only rounding and the transient, 0.9^2000, remain.
TEST(EstimateFrf, PeriodicRecordsAreExact) {
  for (const Eigen::Index period : {1000, 997}) {
    const Eigen::VectorXd u = periodic(4 * period, period, 2);
    for (const FrfEstimator estimator : {FrfEstimator::H1, FrfEstimator::H2, FrfEstimator::Hv}) {
      const FrfResult frf = estimate_frf({{u, kResonant(u)}}, kStep,
                                         {.estimator = estimator, .period_samples = period});
      ASSERT_TRUE(frf.ok());
      EXPECT_EQ(frf.averaging.segments, 3);
      const std::size_t highest = static_cast<std::size_t>((period - 1) / 2);
      for (std::size_t k = 1; k <= highest; ++k) {
        const Complex expected =
            kResonant.response(frf.frequencies_hz(static_cast<Eigen::Index>(k)));
        ASSERT_LT(std::abs(at(frf, k) - expected), 1e5 * kEps * std::abs(expected)) << k;
      }
    }
  }
}

TEST(EstimateFrf, LinesThatAreNotExcitedAreNamed) {
  const Eigen::Index period = 200;
  RandomStream random(3);
  const std::vector<int> lines = {5, 6, 40};
  const Eigen::VectorXd u =
      multisine(5 * period, {.period_samples = period, .lines = lines}, random);
  const FrfResult all = estimate_frf({{u, kResonant(u)}}, kStep, {.period_samples = period});
  EXPECT_TRUE(all.ok());
  EXPECT_EQ(all.singular_lines.size(), 98u);
  EXPECT_THAT(all.warning, HasSubstr("singular at 98 of 101 lines, the first at 0 Hz"));
  EXPECT_TRUE(all.response[7].hasNaN());
  const FrfResult some =
      estimate_frf({{u, kResonant(u)}}, kStep, {.period_samples = period, .lines = lines});
  EXPECT_EQ(some.warning, "");
  ASSERT_EQ(some.response.size(), 3u);
  EXPECT_NEAR(some.frequencies_hz(2), 20.0, 1e-12);
  EXPECT_LT(std::abs(at(some, 2) - kResonant.response(20.0)), 1e-9);
}

TEST(EstimateFrf, SettlingPeriodsAreLeftOut) {
  const Eigen::Index period = 50;
  const Eigen::VectorXd u = periodic(10 * period, period, 4);
  const Eigen::VectorXd y = kResonant(u);
  const auto worst = [&](Eigen::Index settle) {
    const FrfResult frf =
        estimate_frf({{u, y}}, kStep, {.period_samples = period, .settle_periods = settle});
    double error = 0.0;
    for (std::size_t k = 1; k < 25; ++k) {
      const double f = frf.frequencies_hz(static_cast<Eigen::Index>(k));
      error = std::max(error, std::abs(at(frf, k) - kResonant.response(f)));
    }
    return error;
  };
  // Each period left out lowers the transient by 0.9^50 = 0.005.
  EXPECT_GT(worst(0), 1e-3);
  EXPECT_LT(worst(1), 0.02 * worst(0));
  EXPECT_LT(worst(4), 1e-8);
}

// Inputs that move together in each experiment, once in phase and once against: each alone is
// singular, both together tell the inputs apart.
TEST(EstimateFrf, SeveralExperimentsSeparateInputs) {
  const Eigen::Index period = 100;
  const Filter other{0.0, 0.0, -2.0, 1.0};
  const Eigen::VectorXd base = periodic(4 * period, period, 14);
  std::vector<InputOutput> experiments;
  for (const double sign : {1.0, -1.0}) {
    Eigen::MatrixXd u(base.size(), 2);
    u << base, sign * base;
    Eigen::MatrixXd y(base.size(), 3);
    y << kResonant(u.col(0)) + other(u.col(1)), other(u.col(0)), kShort(u.col(1));
    experiments.push_back({u, y});
  }
  const FrfOptions options{.period_samples = period,
                           .settle_periods = 3,
                           .lines = lines_in_band(period, kStep, 0.0, 50.0)};
  const FrfResult one = estimate_frf({experiments[0]}, kStep, options);
  EXPECT_EQ(one.status, Status::Indefinite);
  EXPECT_THAT(one.message, HasSubstr("singular at 49 of 49 lines"));
  EXPECT_EQ(one.singular_lines.size(), 49u);

  const FrfResult both = estimate_frf(experiments, kStep, options);
  ASSERT_TRUE(both.ok());
  EXPECT_LT(both.input_condition.maxCoeff(), 1.0 + 1e-9);
  for (std::size_t k = 0; k < 49; ++k) {
    const double f = both.frequencies_hz(static_cast<Eigen::Index>(k));
    Eigen::MatrixXcd expected(3, 2);
    expected << kResonant.response(f), other.response(f), other.response(f), 0.0, 0.0,
        kShort.response(f);
    // The transient left after three periods is 0.9^300, 2e-14.
    EXPECT_LT((both.response[k] - expected).norm(), 1e-10) << k;
  }
  // One settled period does not show any scatter.
  EXPECT_TRUE(both.magnitude_deviation[5].hasNaN());
}

TEST(EstimateFrf, MimoEstimatorsAgreeWithoutNoise) {
  Eigen::MatrixXd u(40000, 2);
  u << white(40000, 15), white(40000, 16);
  Eigen::MatrixXd y(40000, 2);
  y << u.col(0) - 0.5 * u.col(1), 0.2 * u.col(0) + 3.0 * u.col(1);
  Eigen::MatrixXcd expected(2, 2);
  expected << 1.0, -0.5, 0.2, 3.0;
  for (const FrfEstimator estimator : {FrfEstimator::H1, FrfEstimator::H2, FrfEstimator::Hv}) {
    const FrfResult frf =
        estimate_frf({{u, y}}, kStep, {.estimator = estimator, .welch = {.segment_samples = 100}});
    for (const Eigen::MatrixXcd& H : frf.response) {
      ASSERT_LT((H - expected).norm(), 1e4 * kEps) << static_cast<int>(estimator);
    }
  }
}

TEST(EstimateFrf, CorrelatedInputsAreReported) {
  Eigen::MatrixXd u(4000, 2);
  u.col(0) = white(4000, 17);
  u.col(1) = 2.0 * u.col(0);
  const FrfResult frf = estimate_frf({{u, u.col(0)}}, kStep, {.welch = {.segment_samples = 100}});
  EXPECT_EQ(frf.status, Status::Indefinite);
  EXPECT_FALSE(frf.ok());
  EXPECT_THAT(frf.message, HasSubstr("inputs are correlated or not excited"));
  EXPECT_EQ(frf.singular_lines.size(), 51u);
  // Fewer averages than inputs: the matrix cannot have full rank.
  u.col(1) = white(4000, 18);
  const FrfResult few = estimate_frf({{u, u.col(0)}}, kStep, {.welch = {.segment_samples = 4000}});
  EXPECT_EQ(few.status, Status::Indefinite);
  const FrfResult enough =
      estimate_frf({{u, u.col(0)}}, kStep, {.welch = {.segment_samples = 100}});
  EXPECT_TRUE(enough.ok());
  EXPECT_LT(enough.input_condition.maxCoeff(), 10.0);
}

TEST(EstimateFrf, MissingSamplesAreGoneAround) {
  Eigen::VectorXd u = white(20000, 19);
  Eigen::VectorXd y = 2.0 * u;
  u(3000) = std::nan("");
  y.segment(9000, 500).setConstant(std::nan(""));
  const FrfResult frf =
      estimate_frf({{u, y}}, kStep, {.welch = {.segment_samples = 500, .overlap = 0.0}});
  EXPECT_EQ(frf.averaging.segments, 6 + 11 + 21);
  for (const Eigen::MatrixXcd& H : frf.response) EXPECT_LT(std::abs(H(0, 0) - 2.0), 1e3 * kEps);
  // Periods with missing samples are left out, the others keep their places.
  Eigen::VectorXd up = periodic(1000, 100, 20);
  const Eigen::VectorXd yp = kShort(up);
  up(350) = std::nan("");
  const FrfResult periods = estimate_frf({{up, yp}}, kStep, {.period_samples = 100});
  EXPECT_EQ(periods.averaging.segments, 8);
  EXPECT_LT(std::abs(at(periods, 10) - kShort.response(10.0)), 1e4 * kEps);
}

// Property: units change nothing for any estimator.
TEST(EstimateFrf, UnitsChangeNothing) {
  const Eigen::VectorXd u = white(5000, 21);
  const Eigen::VectorXd y = kShort(u) + 0.3 * white(5000, 22);
  for (const FrfEstimator estimator : {FrfEstimator::H1, FrfEstimator::H2, FrfEstimator::Hv}) {
    const FrfOptions options{.estimator = estimator, .welch = {.segment_samples = 200}};
    const FrfResult base = estimate_frf({{u, y}}, kStep, options);
    const FrfResult other = estimate_frf({{1e-6 * u, 1e6 * y}}, kStep, options);
    for (std::size_t k = 0; k < base.response.size(); ++k) {
      EXPECT_LT(std::abs(1e-12 * at(other, k) - at(base, k)), 1e4 * kEps * std::abs(at(base, k)));
    }
    EXPECT_TRUE(
        matrices_near(other.multiple_coherence, base.multiple_coherence, {.abs = 1e4 * kEps}));
  }
}

Record record_of(const Eigen::MatrixXd& samples, TimeAxis time) {
  return Record(std::move(time), {{.name = "force"}, {.name = "top"}, {.name = "base"}}, samples);
}

TEST(EstimateFrf, RecordsByName) {
  Eigen::MatrixXd samples(3000, 3);
  samples.col(0) = white(3000, 23);
  samples.col(1) = 4.0 * samples.col(0);
  samples.col(2) = -samples.col(0);
  const Records records = {
      record_of(samples, TimeAxis::uniform(3000, kStep)),
      record_of(samples, TimeAxis::given(TimeAxis::uniform(3000, kStep).times()))};
  const FrfResult frf =
      estimate_frf(records, {"force"}, {"base", "top"}, {.welch = {.segment_samples = 300}});
  EXPECT_EQ(frf.averaging.segments, 38);
  EXPECT_LT(std::abs(at(frf, 40, 0) + 1.0), 1e3 * kEps);
  EXPECT_LT(std::abs(at(frf, 40, 1) - 4.0), 1e3 * kEps);
  EXPECT_NEAR(frf.frequencies_hz(150), 50.0, 1e-6);
  EXPECT_THAT(message_of([&] { (void)estimate_frf(records, {"forces"}, {"top"}); }),
              HasSubstr("forces"));
}

// The same experiment in N and mm, and in kN and m: only the first record's units count.
TEST(EstimateFrf, RecordsInOtherUnitsAreConverted) {
  Eigen::MatrixXd samples(3000, 2);
  samples.col(0) = white(3000, 26);
  samples.col(1) = 4.0 * samples.col(0);
  const auto record = [&](const char* input, double scale_in, const char* output,
                          double scale_out) {
    Eigen::MatrixXd scaled = samples;
    scaled.col(0) *= scale_in;
    scaled.col(1) *= scale_out;
    return Record(TimeAxis::uniform(3000, kStep), {{"force", input}, {"top", output}}, scaled);
  };
  const FrfOptions options{.welch = {.segment_samples = 300}};
  const Records records = {record("N", 1.0, "mm", 1.0), record("kN", 1e-3, "m", 1e-3),
                           record("", 1.0, "millis", 1.0)};
  const FrfResult frf = estimate_frf(records, {"force"}, {"top"}, options);
  EXPECT_LT(std::abs(at(frf, 40, 0) - 4.0), 1e3 * kEps);
  EXPECT_NEAR(frf.multiple_coherence(40, 0), 1.0, 1e3 * kEps);
  const Records wrong = {records[0], records[1], record("N", 1.0, "V", 1.0)};
  EXPECT_THAT(message_of([&] { (void)estimate_frf(wrong, {"force"}, {"top"}, options); }),
              HasSubstr("channel 'top' is in 'V' in record 3 and in 'mm' in record 1"));
}

TEST(EstimateFrf, RecordsNeedOneStep) {
  const Eigen::MatrixXd samples = Eigen::MatrixXd::Ones(100, 3);
  const Record good = record_of(samples, TimeAxis::uniform(100, kStep));
  const Record slow = record_of(samples, TimeAxis::uniform(100, 0.02));
  Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(100, 0.0, 1.0);
  times.tail(50).array() += 0.5;
  const Record uneven = record_of(samples, TimeAxis::given(times));
  EXPECT_THAT(message_of([&] {
                (void)estimate_frf({good, slow}, {"force"}, {"top"});
              }),
              HasSubstr("must have one step, got 0.01 s and 0.02 s"));
  EXPECT_THAT(message_of([&] {
                (void)estimate_frf({good, uneven}, {"force"}, {"top"});
              }),
              HasSubstr("record 2 has none"));
  EXPECT_THAT(message_of([] { (void)estimate_frf(Records{}, {"force"}, {"top"}); }),
              HasSubstr("number of records"));
}

TEST(EstimateFrf, BadInputIsNamed) {
  const Eigen::MatrixXd u = white(100, 24);
  const auto message = [&](const InputOutput& data, const FrfOptions& options) {
    return message_of([&] { (void)estimate_frf({data}, kStep, options); });
  };
  EXPECT_THAT(message_of([] { (void)estimate_frf(std::vector<InputOutput>{}, kStep); }),
              HasSubstr("number of experiments"));
  EXPECT_THAT(message({u, u.topRows(99)}, {}), HasSubstr("samples of outputs"));
  EXPECT_THAT(message({u, u.leftCols(0)}, {}), HasSubstr("number of channels"));
  EXPECT_THAT(message({u, u}, {.welch = {.segment_samples = 200}}), HasSubstr("segment_samples"));
  EXPECT_THAT(message({u, u}, {.period_samples = -1}), HasSubstr("period_samples"));
  EXPECT_THAT(message({u, u}, {.period_samples = 100}),
              HasSubstr("must have a settled period of 100 samples"));
  EXPECT_THAT(message({u, u}, {.period_samples = 10, .settle_periods = -1}),
              HasSubstr("settle_periods"));
  EXPECT_THAT(message({u, u}, {.period_samples = 10, .lines = {2, 2}}), HasSubstr("lines"));
  EXPECT_THAT(message({u, u}, {.period_samples = 10, .lines = {6}}), HasSubstr("got 6"));
  EXPECT_THAT(message({u, u}, {.largest_condition = 0.5}), HasSubstr("largest_condition"));
  Eigen::MatrixXd two(100, 2);
  two << u, white(100, 25);
  EXPECT_THAT(message({two, u}, {.estimator = FrfEstimator::H2}),
              HasSubstr("got 1 outputs and 2 inputs"));
  FrfOptions scales{.estimator = FrfEstimator::Hv};
  scales.input_sigma = Eigen::VectorXd::Ones(2);
  scales.output_sigma = Eigen::VectorXd::Zero(1);
  EXPECT_THAT(message({u, u}, scales), HasSubstr("input_sigma"));
  EXPECT_THAT(message({two, u}, scales), HasSubstr("output_sigma"));
  EXPECT_THAT(message_of([&] {
                (void)estimate_frf({{u, u}, {two, u}}, kStep);
              }),
              HasSubstr("number of inputs"));
  Eigen::MatrixXd bad = u;
  bad(3, 0) = INFINITY;
  EXPECT_THAT(message({u, bad}, {}), HasSubstr("got inf at sample 4 of channel 1"));
  bad.setConstant(std::nan(""));
  EXPECT_THAT(message({u, bad}, {}), HasSubstr("must have a segment of 22 samples without NaN"));
}

}  // namespace frf_test
}  // namespace alembert::signal
