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

// White noise of variance 1 has the covariance (JᵀJ)⁻¹, which knows no bands: the mean over records
// is that of the textbook, with the start states eliminated.
TEST(ColouredOfFirst, WhiteNoiseHasTheDeviationsOfTheTextbook) {
  const std::vector<ColouredBlock> shape = windows(200, 5);
  MatrixXd J(400, shape[0].jacobian.cols());
  J << shape[0].jacobian, shape[1].jacobian;
  const MatrixXd G = (J.transpose() * J).inverse();
  VectorXd ratio = VectorXd::Zero(3);
  constexpr int kRecords = 60;
  for (int record = 0; record < kRecords; ++record) {
    RandomStream random(100 + static_cast<std::uint64_t>(record));
    VectorXd e(400);
    for (double& one : e) one = random.normal();
    const VectorXd left = e - J * J.householderQr().solve(e);
    std::vector<ColouredBlock> blocks = shape;
    blocks[0].residual = left.head(200);
    blocks[1].residual = left.tail(200);
    ratio += coloured_of_first(blocks, 3).deviations.cwiseAbs2().cwiseQuotient(
        G.diagonal().head(3));
  }
  // A variance from some 100 bins of χ² scatters by √(2/100), its mean over 60 records by 1.8 %;
  // four of these.
  for (const double one : ratio / kRecords) EXPECT_NEAR(one, 1.0, 0.08);
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
