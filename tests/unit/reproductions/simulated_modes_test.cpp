#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "reproductions/simulated_modes/modal_states.hpp"
#include "reproductions/simulated_modes/modal_test.hpp"
#include "reproductions/simulated_modes/test_score.hpp"

namespace alembert::reproductions::simulated_modes::simulated_modes_test {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::VectorXd;

// x' = λ x + t from rest: x = (exp(λ t) - 1 - λ t)/λ², and the recursion is exact for straight
// lines: rounding of 100 steps alone.
TEST(ModalStates, FollowARampExactly) {
  const Complex pole(-0.7, 23.0);
  constexpr double kStep = 0.01;
  const VectorXd ramp = kStep * VectorXd::LinSpaced(101, 0.0, 100.0);
  const Eigen::MatrixXcd states = modal_states(Eigen::VectorXcd::Constant(1, pole), ramp, kStep);
  for (const Index k : {1, 50, 100}) {
    const double t = kStep * static_cast<double>(k);
    const Complex expected = (std::exp(pole * t) - 1.0 - pole * t) / (pole * pole);
    EXPECT_LT(std::abs(states(k, 0) - expected), 1e-13) << k;
  }
}

TEST(DrawStructure, HasNineModesInTheBandAndAClosePair) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomStream random(seed);
    const KnownStructure structure = draw_structure(4, 2, random);
    ASSERT_EQ(structure.poles.size(), 11);
    int inside = 0, close = 0;
    for (Index r = 0; r < 11; ++r) {
      inside += structure.in_band(r) ? 1 : 0;
      EXPECT_GT(structure.damping_ratio(r), 0.001);
      EXPECT_LT(structure.damping_ratio(r), 0.05);
      if (r == 0) continue;
      const double ratio = structure.frequency_hz(r) / structure.frequency_hz(r - 1);
      close += std::abs(ratio - 1.01) < 1e-9 ? 1 : 0;
    }
    EXPECT_EQ(inside, 9);
    // Another mode may lie between the two.
    EXPECT_LE(close, 1);
  }
}

// The noise of a test has the same pattern at each level, and the structure is the same.
TEST(SimulateTest, LevelsDifferByTheirNoiseAlone) {
  const ModalTest loud = simulate_test(TestKind::Shaker, 20.0, 3);
  const ModalTest quiet = simulate_test(TestKind::Shaker, 60.0, 3);
  EXPECT_EQ(loud.structure.poles, quiet.structure.poles);
  const Eigen::MatrixXd& a = loud.experiments.front().outputs;
  const Eigen::MatrixXd difference = a - quiet.experiments.front().outputs;
  // 0.1 - 0.001 of the rms of the clean response; 65536 numbers scatter by 0.3 %, and noise of a
  // tenth adds half a percent to the rms.
  EXPECT_NEAR(difference.norm() / a.norm(), 0.099, 0.099 * 0.015);
}

std::vector<identify::Mode> known_modes(const ModalTest& test) {
  std::vector<identify::Mode> modes;
  for (Index r = 0; r < test.structure.poles.size(); ++r) {
    if (!test.structure.in_band(r)) continue;
    identify::Mode mode;
    mode.pole = test.structure.poles(r);
    mode.frequency_hz = test.structure.frequency_hz(r);
    mode.damping_ratio = test.structure.damping_ratio(r);
    mode.frequency_deviation = mode.damping_deviation = 1e-3;
    mode.shape = test.structure.shapes.col(r).cast<Complex>();
    modes.push_back(mode);
  }
  return modes;
}

TEST(ScoreModes, CountsFoundAndFalseOnes) {
  const ModalTest test = simulate_test(TestKind::Shaker, 40.0, 0);
  std::vector<identify::Mode> modes = known_modes(test);
  const TestScore all = score_modes(test, modes, true);
  EXPECT_EQ(all.found, all.clear);
  EXPECT_EQ(all.wrong, 0);
  EXPECT_EQ(all.pairs.size(), 9U);
  EXPECT_EQ(all.pairs.front().frequency_ratio, 0.0);
  EXPECT_LT(all.pairs.front().mac_error, 1e-12);
  // The same mode twice, and one with the shape of another.
  modes.push_back(modes.front());
  modes[1].shape = modes.back().shape.reverse().eval();
  modes[1].shape(0) = 10.0;
  const TestScore some = score_modes(test, modes, true);
  EXPECT_EQ(some.wrong, 2);
  EXPECT_EQ(some.wrong_good, 2);
  EXPECT_EQ(score_modes(test, modes, false).wrong_good, 0);
  EXPECT_EQ(score_modes(test, {}, true).found, 0);
}

}  // namespace
}  // namespace alembert::reproductions::simulated_modes::simulated_modes_test
