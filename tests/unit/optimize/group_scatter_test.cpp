#include "alembert/optimize/group_scatter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "alembert/core/random.hpp"
#include "core/algebra/dense.hpp"
#include "tests/support/matrices_near.hpp"
#include "tests/support/message_of.hpp"

namespace alembert::optimize {
namespace group_scatter_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::kEps;
using test::matrices_near;
using testing::HasSubstr;

constexpr double kExact = 1e9;  // degrees of freedom of a deviation that is known

// The common mean of groups of n measurements each; A_g = n, s_g = n (mean_g - mean).
std::vector<ScoreGroup> groups_of_means(const VectorXd& means, double n, double variance) {
  std::vector<ScoreGroup> groups;
  for (const double mean : means) {
    groups.push_back({.information = MatrixXd::Constant(1, 1, n),
                      .score = VectorXd::Constant(1, n * (mean - means.mean())),
                      .noise = MatrixXd::Constant(1, 1, n * variance)});
  }
  return groups;
}

// The textbook: the deviation of a mean of B means is the root of Σ (m_g - m)²/(B (B - 1)), with
// B-1 degrees of freedom, and its square over σ²/(B n) is of F.
TEST(GroupScatter, OfMeansIsThatOfTheTextbook) {
  const VectorXd means = (VectorXd(5) << 1.0, 1.4, 0.7, 1.2, 0.2).finished();
  const double squares = (means.array() - means.mean()).square().sum();
  const double noise = std::sqrt(0.3 / (5.0 * 8.0));
  const GroupScatter found =
      group_scatter(groups_of_means(means, 8.0, 0.3), VectorXd::Constant(1, noise),
                    VectorXd::Constant(1, kExact));
  EXPECT_EQ(found.groups, 5);
  EXPECT_NEAR(found.deviations(0), std::sqrt(squares / 20.0), 10.0 * kEps);
  EXPECT_NEAR(found.freedom(0), 4.0, 100.0 * kEps);
  EXPECT_NEAR(found.ratio(0), squares / 20.0 / (noise * noise), 1e3 * kEps);
  // χ² of 4 degrees beyond x = 4 F: e^(-x/2) (1 + x/2).
  const double half = 2.0 * found.ratio(0);
  EXPECT_NEAR(found.probability, std::exp(-half) * (1.0 + half), 1e-7);
}

// A line and a sine with an offset for each piece, which belongs to it alone.
struct Pieces {
  MatrixXd J;  // all columns
  std::vector<DataPiece> pieces;
};

constexpr Index kParameters = 2;

Pieces with_offsets(Index pieces, Index length) {
  const Index N = pieces * length;
  Pieces result{.J = MatrixXd::Zero(N, kParameters + pieces), .pieces = {}};
  for (Index k = 0; k < N; ++k) {
    const double t = static_cast<double>(k) / static_cast<double>(N);
    result.J(k, 0) = t + std::sin(57.0 * t);
    result.J(k, 1) = std::cos(91.0 * t + 3.0 * t * t);
    result.J(k, kParameters + k / length) = 1.0;
  }
  for (Index i = 0; i < pieces; ++i) {
    result.pieces.push_back({.experiment = 0, .first = i * length, .count = length});
  }
  return result;
}

ColouredBlock fitted_block(const MatrixXd& J, const VectorXd& y, VectorXd& theta) {
  theta = J.householderQr().solve(y);
  return {.jacobian = J, .residual = y - J * theta};
}

NoiseSpectrum white(double variance) {
  return {.channel = 0,
          .frequency = VectorXd::LinSpaced(3, 0.0, 0.5),
          .residual = VectorXd::Constant(3, variance),
          .noise = VectorXd::Constant(3, variance),
          .bins = VectorXd::Ones(3)};
}

// Refits without one piece each: the same, because the model is linear.
TEST(GroupScatter, IsTheJackknifeOfRefits) {
  constexpr Index kCount = 6;
  constexpr Index kLength = 40;
  const Pieces all = with_offsets(kCount, kLength);
  RandomStream random(41);
  const VectorXd y = random.normal_vector(all.J.rows());
  VectorXd theta;
  const ColouredBlock block = fitted_block(all.J, y, theta);
  const std::vector<ScoreGroup> groups =
      score_groups({block}, kParameters, all.pieces, {white(1.0)});
  ASSERT_EQ(groups.size(), 6U);
  const GroupScatter found =
      group_scatter(groups, VectorXd::Ones(kParameters), VectorXd::Constant(kParameters, kExact));
  VectorXd squares = VectorXd::Zero(kParameters);
  for (Index left = 0; left < kCount; ++left) {
    MatrixXd J = all.J;
    VectorXd data = y;
    J.middleRows(left * kLength, kLength).setZero();
    data.segment(left * kLength, kLength).setZero();
    J(left * kLength, kParameters + left) = 1.0;  // its offset must be something
    squares += (J.householderQr().solve(data) - theta).head(kParameters).cwiseAbs2();
  }
  const VectorXd expected = (5.0 / 6.0 * squares).cwiseSqrt();
  // Rounding of refits of condition below 100.
  EXPECT_TRUE(matrices_near(found.deviations, expected, {.rel = 1e4 * kEps}));
}

// C_g of white noise is σ² A_g, whichever the group.
TEST(ScoreGroups, KnowTheNoiseOfTheirScores) {
  const Pieces all = with_offsets(7, 31);
  RandomStream random(42);
  VectorXd theta;
  const ColouredBlock block = fitted_block(all.J, random.normal_vector(all.J.rows()), theta);
  const std::vector<ScoreGroup> groups =
      score_groups({block}, kParameters, all.pieces, {white(2.5)}, 4);
  EXPECT_EQ(groups.size(), 4U);
  MatrixXd total = MatrixXd::Zero(kParameters, kParameters);
  for (const ScoreGroup& group : groups) {
    EXPECT_TRUE(matrices_near(group.noise, 2.5 * group.information, {.rel = 1e3 * kEps}));
    total += group.information;
  }
  // Together they have the information of the whole fit without the offsets: a Schur complement.
  const MatrixXd H = all.J.transpose() * all.J;
  const MatrixXd inverse = dense::inverse(H).topLeftCorner(kParameters, kParameters);
  EXPECT_TRUE(matrices_near(total, dense::inverse(inverse), {.rel = 1e4 * kEps}));
}

// Units of parameters change nothing but the units.
TEST(GroupScatter, DoesNotDependOnUnits) {
  const Pieces all = with_offsets(8, 25);
  RandomStream random(43);
  VectorXd theta;
  ColouredBlock block = fitted_block(all.J, random.normal_vector(all.J.rows()), theta);
  const auto found = [&](double unit) {
    ColouredBlock scaled = block;
    scaled.jacobian.col(0) *= unit;
    const VectorXd deviations = Eigen::Vector2d(0.1 / unit, 0.1);
    return group_scatter(score_groups({scaled}, kParameters, all.pieces, {white(1.0)}), deviations,
                         VectorXd::Constant(kParameters, 30.0));
  };
  const GroupScatter one = found(1.0);
  const GroupScatter other = found(1e6);
  EXPECT_NEAR(other.deviations(0) * 1e6 / one.deviations(0), 1.0, 1e4 * kEps);
  EXPECT_TRUE(matrices_near(one.ratio, other.ratio, {.rel = 1e4 * kEps}));
  EXPECT_NEAR(one.probability, other.probability, 1e-9);
}

// A parameter that one group alone tells cannot be compared; the other can.
TEST(GroupScatter, LeavesOutWhatOneGroupAloneTells) {
  const VectorXd means = (VectorXd(4) << 1.0, 1.3, 0.8, 1.1).finished();
  std::vector<ScoreGroup> groups;
  for (const ScoreGroup& one : groups_of_means(means, 5.0, 1.0)) {
    ScoreGroup wide{.information = MatrixXd::Zero(2, 2),
                    .score = VectorXd::Zero(2),
                    .noise = MatrixXd::Zero(2, 2)};
    wide.information(0, 0) = one.information(0, 0);
    wide.noise(0, 0) = one.noise(0, 0);
    wide.score(0) = one.score(0);
    groups.push_back(wide);
  }
  groups[2].information(1, 1) = groups[2].noise(1, 1) = 3.0;
  const GroupScatter found = group_scatter(groups, VectorXd::Ones(2), VectorXd::Ones(2));
  EXPECT_EQ(found.deviations(1), 0.0);
  EXPECT_EQ(found.ratio(1), 0.0);
  const double squares = (means.array() - means.mean()).square().sum();
  EXPECT_NEAR(found.deviations(0), std::sqrt(squares / 12.0), 100.0 * kEps);
}

// What many records say: parameters that differ from piece to piece by `spread`.
struct Record {
  double inside = 0.0;     // share of 95 % intervals, both parameters
  double before = 0.0;     // without the scatter
  double length = 0.0;     // over the interval without the scatter
  double differing = 0.0;  // share of records whose groups disagree, level 10 %
};

Record many_records(double spread, int runs, std::uint64_t seed) {
  constexpr Index kCount = 20;
  constexpr Index kLength = 60;
  const Pieces all = with_offsets(kCount, kLength);
  Record record;
  const double share = 1.0 / (runs * kParameters);
  for (int run = 0; run < runs; ++run) {
    RandomStream random(seed, static_cast<std::uint64_t>(run));
    VectorXd y = random.normal_vector(all.J.rows());
    for (Index i = 0; i < kCount; ++i) {
      const VectorXd differs = spread * random.normal_vector(kParameters);
      y.segment(i * kLength, kLength) +=
          all.J.middleRows(i * kLength, kLength).leftCols(kParameters) * differs;
    }
    VectorXd theta;
    const ColouredBlock block = fitted_block(all.J, y, theta);
    ColouredCovariance found = coloured_covariance({block});
    const VectorXd before = found.half_widths();
    const GroupScatter scatter = allow_for_scatter({block}, kParameters, all.pieces, {}, found);
    const VectorXd after = found.half_widths();
    for (Index j = 0; j < kParameters; ++j) {
      record.inside += std::abs(theta(j)) <= after(j) ? share : 0.0;
      record.before += std::abs(theta(j)) <= before(j) ? share : 0.0;
      record.length += share * after(j) / before(j);
    }
    record.differing += scatter.probability < 0.1 ? 1.0 / runs : 0.0;
    EXPECT_NEAR(std::sqrt(found.covariance(0, 0)), found.deviations(0), 1e-12);
    EXPECT_EQ(scatter.groups, 10);
  }
  return record;
}

// 300 records of two parameters. A share of 0.95 of 600 intervals scatters by 0.009 and one of 0.1
// of 300 records by 0.017; bounds are 3.3 of these, which one of 2000 seeds exceeds on a side. If
// the scatter were taken always, intervals would be longer by t(9)/t(∞) = 1.15 on average at least.
TEST(GroupScatter, CostsLittleWhereTheModelIsRight) {
  const Record sound = many_records(0.0, 300, 51);
  EXPECT_GT(sound.inside, 0.95 - 0.03);
  EXPECT_LT(sound.differing, 0.1 + 0.057);
  EXPECT_LT(sound.length, 1.1);
}

// Parameters that differ between pieces by ten times what noise does to them: the mean of all
// pieces is what is sought. Wanted is 0.90 at least, as for coloured noise, and at most as many as
// chance makes of 0.95. The noise alone covers less, by more than two deviations of 0.012.
TEST(GroupScatter, CoversTheMeanWherePiecesDiffer) {
  const Record differing = many_records(2.0, 300, 52);
  EXPECT_GT(differing.inside, 0.90);
  EXPECT_LT(differing.inside, 0.95 + 0.03);
  EXPECT_GT(differing.inside, differing.before + 0.024);
}

TEST(AllowForScatter, LeavesFewPiecesAlone) {
  const Pieces all = with_offsets(3, 60);
  RandomStream random(44);
  VectorXd theta;
  const ColouredBlock block = fitted_block(all.J, random.normal_vector(180), theta);
  ColouredCovariance found = coloured_covariance({block});
  const VectorXd before = found.deviations;
  EXPECT_EQ(allow_for_scatter({block}, kParameters, all.pieces, {}, found).groups, 0);
  EXPECT_TRUE(matrices_near(found.deviations, before, {.rel = kEps}));
}

TEST(GroupScatter, NamesWhatIsWrong) {
  const std::vector<ScoreGroup> one = groups_of_means(VectorXd::Ones(1), 4.0, 1.0);
  const VectorXd number = VectorXd::Ones(1);
  EXPECT_THAT(test::message_of([&] { (void)group_scatter(one, number, number); }),
              HasSubstr("number of groups"));
  std::vector<ScoreGroup> two = groups_of_means(VectorXd::Ones(2), 4.0, 1.0);
  EXPECT_THAT(test::message_of([&] { (void)group_scatter(two, VectorXd::Ones(2), number); }),
              HasSubstr("deviations"));
  EXPECT_THAT(test::message_of([&] { (void)group_scatter(two, number, number, MatrixXd(1, 2)); }),
              HasSubstr("prior"));
  for (ScoreGroup& group : two) group.information.setZero();
  EXPECT_THAT(test::message_of([&] { (void)group_scatter(two, number, number); }),
              HasSubstr("positive definite"));
}

}  // namespace group_scatter_test
}  // namespace alembert::optimize
