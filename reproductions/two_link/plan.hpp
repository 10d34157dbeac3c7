#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "reproductions/reproduce.hpp"
#include "reproductions/two_link/observers.hpp"

/// The observers that `alembert reproduce two-link` compares.
namespace alembert::reproductions::two_link {

/// Noise levels of the observers on one test.
struct Levels {
  std::vector<double> input = {};      ///< variances of a step, tuned with the truth
  std::vector<double> input_now = {};  ///< the same for Heun's rule without the delay of a sample
  std::vector<double> jerk = {};       ///< densities, from the readings alone
  std::vector<double> snap = {};
};

/// Both tests, in the level plane and in one that is tilted, and the levels found for them. Entry 0
/// is the test with impulses, entry 1 the sweep.
struct Lab {
  std::array<Motion, 2> level, tilted;
  std::array<Levels, 2> levels;
  double tilted_gravity = 0.0;  ///< m/s², in the plane
};

/// Simulates and tunes; false after a stop request.
[[nodiscard]] bool prepare(Lab& lab, const ParallelOptions& parallel);

/// A row of a table: means over the seeds (rms of the length errors), the motion of the first one.
struct Row {
  std::string name;
  Case one;
  Score score = {};
};

/// Observers on readings that are as the observer believes.
enum ErrorRow {
  InputEkf,
  InputSimplex,
  InputNow,
  JerkEkf,
  JerkSimplex,
  SnapEkf,
  JerkSmoothed,
  SnapSmoothed
};
[[nodiscard]] std::vector<Row> error_rows(const Lab& lab, std::size_t test);

/// Encoders with Gaussian noise of the same variance in place of counts; and counts, of which the
/// observer believes that they err by a whole count.
enum EncoderRow { GaussianInput, GaussianJerk, GaussianSnap, WholeCountSnap };
[[nodiscard]] std::vector<Row> encoder_rows(const Lab& lab, std::size_t test);

/// The plane is tilted, and the observer knows it or not.
enum GravityRow { InputLevel, InputTilted, OutputLevel, OutputTilted, OutputBiases };
[[nodiscard]] std::vector<Row> gravity_rows(const Lab& lab, std::size_t test);

/// d1 or d2 is 2 % too long in the observer, with and without states for both; with states and a
/// motion model of 30 times the density, the last also with Gaussian encoders. The first row has
/// both right and no states.
enum LengthRow {
  RightLengths,
  InputD1,
  OutputD1,
  StatesD1,
  LooseD1,
  GaussianD1,
  InputD2,
  OutputD2,
  StatesD2,
  LooseD2,
  GaussianD2
};
[[nodiscard]] std::vector<Row> length_rows(const Lab& lab, std::size_t test);

/// Scores all rows over the seeds 1..seeds; false after a stop request.
[[nodiscard]] bool score_rows(const std::vector<Row*>& rows, int seeds,
                              const ParallelOptions& parallel);

}  // namespace alembert::reproductions::two_link
