#include "alembert/optimize/detail/coloured_of_first.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "optimize/coloured/band_traces.hpp"
#include "tests/support/matrices_near.hpp"
#include "tests/support/message_of.hpp"
#include "tests/unit/optimize/coloured_noise.hpp"

namespace alembert::optimize {
namespace coloured_of_first_test {

using namespace coloured_noise;  // NOLINT: the test is about nothing else
using test::kEps;
using test::matrices_near;
using test::message_of;
using testing::HasSubstr;

// Three parameters that the whole record sees, then a level and a slope in each window of ten
// samples, as the start states of windows are. Two channels see each window.
std::vector<ColouredBlock> windows(Index N, std::uint64_t seed) {
  const Index count = N / 10;
  std::vector<ColouredBlock> blocks;
  MatrixXd J = MatrixXd::Zero(2 * N, 3 + 2 * count);
  for (Index i = 0; i < 2 * N; ++i) {
    const double x = static_cast<double>(i % N) / static_cast<double>(N);
    const double gain = i < N ? 1.0 : 0.5;
    const Index window = (i % N) / 10;
    J.row(i).head(3) << std::sin(60.0 * x) * gain, std::cos(190.0 * x), x * std::sin(300.0 * x);
    J(i, 3 + 2 * window) = 1.0;
    J(i, 4 + 2 * window) = gain * static_cast<double>(i % 10);
  }
  RandomStream random(seed);
  VectorXd e(2 * N);
  for (Index i = 0; i < 2 * N; ++i) e(i) = random.normal() + (i % N > 0 ? 0.6 * e(i - 1) : 0.0);
  const VectorXd left = e - J * J.householderQr().solve(e);
  for (int channel = 0; channel < 2; ++channel) {
    blocks.push_back({.jacobian = J.middleRows(channel * N, N),
                      .residual = left.segment(channel * N, N),
                      .channel = channel,
                      .experiment = 0});
  }
  return blocks;
}

TEST(ColouredOfFirst, IsThePartOfAllColumns) {
  const std::vector<ColouredBlock> blocks = windows(200, 5);
  const ColouredCovariance all = coloured_covariance(blocks);
  const ColouredCovariance first = coloured_of_first(blocks, 3);
  ASSERT_TRUE(first.ok());
  // Rounding alone differs: some hundred operations on columns of condition below 1e3.
  const double tolerance = 1e7 * kEps;
  EXPECT_TRUE(matrices_near(first.covariance, all.covariance.topLeftCorner(3, 3),
                            {.rel = tolerance, .abs = tolerance * all.covariance(0, 0)}));
  EXPECT_TRUE(matrices_near(first.deviations, all.deviations.head(3), {.rel = tolerance}));
  EXPECT_TRUE(matrices_near(first.freedom, all.freedom.head(3), {.rel = tolerance}));
  EXPECT_TRUE(matrices_near(first.white, all.white.head(3), {.rel = tolerance}));
  EXPECT_TRUE(matrices_near(first.attainable, all.attainable.head(3), {.rel = tolerance}));
  EXPECT_EQ(first.knowledge_of.size(), 3U);
}

// Numbers of coloured_covariance_reference.py, which follows the recipe line by line with J itself
// and knows neither rows nor packed matrices: one channel of 200 samples, e_t = 0.6 e_{t-1} +
// sin(1.7 t²). Nine digits were taken over; the fit is stopped after 150 passes in both.
TEST(ColouredOfFirst, AgreesWithASecondProgram) {
  constexpr Index kSamples = 200;
  MatrixXd J = MatrixXd::Zero(kSamples, 43);
  VectorXd e(kSamples);
  for (Index i = 0; i < kSamples; ++i) {
    const double t = static_cast<double>(i);
    const double x = t / static_cast<double>(kSamples);
    J.row(i).head(3) << std::sin(60.0 * x), std::cos(190.0 * x), x * std::sin(300.0 * x);
    J(i, 3 + i / 10) = 1.0;
    J(i, 23 + i / 10) = static_cast<double>(i % 10);
    e(i) = (i > 0 ? 0.6 * e(i - 1) : 0.0) + std::sin(1.7 * t * t);
  }
  const ColouredBlock block{.jacobian = J, .residual = e - J * J.householderQr().solve(e)};
  const ColouredCovariance found = coloured_of_first({block}, 3);
  ASSERT_TRUE(found.ok());
  const double tolerance = 1e-6;
  EXPECT_TRUE(matrices_near(found.freedom, Eigen::Vector3d(28.657321936, 8.470846563, 13.307051839),
                            {.rel = tolerance}));
  EXPECT_TRUE(matrices_near(found.deviations,
                            Eigen::Vector3d(0.335190654, 0.087248147, 0.114877401),
                            {.rel = tolerance}));
  EXPECT_NEAR(found.covariance(0, 1), -0.0020035377, tolerance);
  EXPECT_NEAR(found.slow_share, 0.049529802, tolerance);
  EXPECT_NEAR(found.effective_samples, 59.468744, 60.0 * tolerance);
}

// Σ (Q_k·Q_l)² by tiles, against the products of packed matrices and against the definition.
TEST(ColouredOfFirst, TracesByRowsAreThoseOfTheMatrices) {
  const CosineBands bands(450);
  RandomStream random(3);
  std::vector<CosineBlock> blocks(2);
  for (CosineBlock& block : blocks) {
    block.columns.resize(450, 7);
    for (double& one : block.columns.reshaped()) one = random.normal();
    block.bands = bands.of_bins(450);
  }
  const MatrixXd own = traces_between({&blocks[0]}, {&blocks[0]}, bands.count());
  const MatrixXd mixed = traces_between({&blocks[0]}, {&blocks[1]}, bands.count());
  std::vector<std::vector<MatrixXd>> H(2);
  for (std::size_t c = 0; c < 2; ++c) {
    H[c].assign(static_cast<std::size_t>(bands.count()), MatrixXd::Zero(7, 7));
    for (Index k = 0; k < 450; ++k) {
      const VectorXd row = blocks[c].columns.row(k);
      H[c][static_cast<std::size_t>(blocks[c].bands[static_cast<std::size_t>(k)])] +=
          row * row.transpose();
    }
  }
  // Sums of at most 9 squares of products of 7 terms.
  const double tolerance = 1000.0 * kEps;
  for (std::size_t b = 0; b < H[0].size(); b += 13) {
    for (std::size_t d = 0; d < H[0].size(); d += 7) {
      const auto i = static_cast<Index>(b), j = static_cast<Index>(d);
      const double expected = (H[0][b] * H[0][d]).trace();
      EXPECT_NEAR(own(i, j), expected, tolerance * (H[0][b].norm() * H[0][d].norm()));
      EXPECT_NEAR(own(i, j), to_packed(H[0][b]).dot(to_packed(H[0][d])),
                  tolerance * (H[0][b].norm() * H[0][d].norm()));
      EXPECT_NEAR(mixed(i, j), (H[0][b] * H[1][d]).trace(),
                  tolerance * (H[0][b].norm() * H[1][d].norm()));
    }
  }
}

TEST(ColouredOfFirst, NamesWhatIsWrong) {
  const std::vector<ColouredBlock> blocks = windows(60, 5);
  EXPECT_THAT(message_of([&] { (void)coloured_of_first(blocks, 0); }), HasSubstr("asked"));
  EXPECT_THAT(message_of([&] { (void)coloured_of_first(blocks, 16); }), HasSubstr("asked"));
  ColouredOptions options;
  options.shape.spectra = {VectorXd::Ones(60), VectorXd::Ones(60)};
  EXPECT_THAT(message_of([&] { (void)coloured_of_first(blocks, 3, options); }),
              HasSubstr("shape.spectra"));
}

}  // namespace coloured_of_first_test
}  // namespace alembert::optimize
