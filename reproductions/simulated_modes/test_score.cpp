#include "reproductions/simulated_modes/test_score.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/identify/modes/ambient_modes.hpp"
#include "alembert/identify/modes/record_modes.hpp"
#include "alembert/model/modes.hpp"

namespace alembert::reproductions::simulated_modes {
namespace {

using Eigen::Index;
using identify::Mode;

constexpr double kNearPole = 0.005;  // of |λ|, or the damping if that is more
constexpr double kLikeShape = 0.5;   // MAC
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double mac_of(const ModalTest& test, Index known, const Mode& mode) {
  const Eigen::VectorXcd shape = test.structure.shapes.col(known).cast<std::complex<double>>();
  return model::mac(shape, mode.shape);
}

// 1 - MAC of a shape with errors of these deviations across it, in real and imaginary parts.
double expected_mac_error(const Mode& mode) {
  if (mode.shape_deviation.size() == 0) return kUnknown;
  const double entries = static_cast<double>(mode.shape.size());
  return 2.0 * mode.shape_deviation.squaredNorm() * (1.0 - 1.0 / entries) /
         mode.shape.squaredNorm();
}

ModePair compare(const ModalTest& test, Index known, const Mode& mode) {
  const double f = test.structure.frequency_hz(known);
  const double z = test.structure.damping_ratio(known);
  ModePair pair{.frequency_error = mode.frequency_hz / f - 1.0,
                .damping_error = kUnknown,
                .frequency_ratio = (mode.frequency_hz - f) / mode.frequency_deviation,
                .damping_ratio = kUnknown,
                .mac_error = 1.0 - mac_of(test, known, mode),
                .mac_expected = expected_mac_error(mode)};
  if (mode.damping_known) {
    pair.damping_error = mode.damping_ratio / z - 1.0;
    pair.damping_ratio = (mode.damping_ratio - z) / mode.damping_deviation;
  }
  return pair;
}

struct Candidate {
  double distance;
  Index known;
  std::size_t reported;
};

std::vector<Candidate> near_pairs(const ModalTest& test, const std::vector<Mode>& modes) {
  std::vector<Candidate> list;
  for (Index r = 0; r < test.structure.poles.size(); ++r) {
    const double limit = std::max(kNearPole, test.structure.damping_ratio(r));
    for (std::size_t k = 0; k < modes.size(); ++k) {
      const double distance =
          std::abs(modes[k].pole - test.structure.poles(r)) / std::abs(test.structure.poles(r));
      if (distance < limit && mac_of(test, r, modes[k]) > kLikeShape) {
        list.push_back({distance, r, k});
      }
    }
  }
  std::sort(list.begin(), list.end(),
            [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
  return list;
}

std::pair<std::vector<Mode>, bool> identified(TestKind kind, const ModalTest& test) {
  if (kind == TestKind::Ambient) {
    const identify::AmbientModes found =
        identify::identify_ambient_modes({test.experiments.front().outputs}, 1.0 / kTestRate,
                                         {.from_hz = kBandFrom, .to_hz = kBandTo});
    return {found.modes, found.verdict.level == TrustLevel::Good};
  }
  const identify::RecordModes found = identify::identify_record_modes(
      test.experiments, 1.0 / kTestRate, {.from_hz = kBandFrom, .to_hz = kBandTo});
  return {found.modes, found.verdict.level == TrustLevel::Good};
}

}  // namespace

TestScore score_modes(const ModalTest& test, const std::vector<Mode>& modes, bool good) {
  TestScore score{.finished = true, .reported = static_cast<int>(modes.size()), .pairs = {}};
  std::vector<bool> taken(modes.size(), false);
  std::vector<bool> seen(test.clear.size(), false);
  for (const Candidate& one : near_pairs(test, modes)) {
    const auto known = static_cast<std::size_t>(one.known);
    if (seen[known] || taken[one.reported]) continue;
    seen[known] = taken[one.reported] = true;
    score.pairs.push_back(compare(test, one.known, modes[one.reported]));
  }
  for (std::size_t r = 0; r < seen.size(); ++r) {
    if (!test.clear[r]) continue;
    ++score.clear;
    if (seen[r]) ++score.found;
  }
  score.wrong = static_cast<int>(std::count(taken.begin(), taken.end(), false));
  if (good) score.wrong_good = score.wrong;
  return score;
}

TestScore score_test(TestKind kind, double decibel, std::uint64_t seed) {
  const ModalTest test = simulate_test(kind, decibel, seed);
  const auto [modes, good] = identified(kind, test);
  return score_modes(test, modes, good);
}

}  // namespace alembert::reproductions::simulated_modes
