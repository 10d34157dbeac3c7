#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/signal/frf.hpp"

/// Blows of a hammer in a record of its force: where they are, and which of them are no use.
namespace alembert::identify {

/// One blow.
struct HammerBlow {
  Eigen::Index peak = 0;         ///< sample of the largest force
  double height = 0.0;           ///< of that sample over the level before it, with its sign
  Eigen::Index width = 0;        ///< samples above a tenth of the height
  bool second_hit = false;       ///< the hammer came back before the next blow
  Eigen::Index second_peak = 0;  ///< sample of the second hit
  double second_share = 0.0;     ///< its height over that of the first
  bool clipped = false;          ///< the force is held at one value at its top
};

/// The blows of one record of a hammer. Empty if the force is not that of a hammer: at rest but for
/// a few short pulses.
///
/// A blow of height P and width w has a second hit where the force, averaged over w/2 samples and
/// more than w samples after the pulse, exceeds max(6 s/√(w/2), 0.02 P), s = 1.48 times the median
/// of the absolute deviations before the blow. A hit pushes one way: what swings back by half as
/// much is a filter that rings. Pulses that follow each other by less than 0.3 of what is usual in
/// the record belong to one blow.
[[nodiscard]] std::vector<HammerBlow> find_blows(const Eigen::Ref<const Eigen::VectorXd>& force);

/// Experiments without the blows that are no use.
struct HammerRecords {
  std::vector<signal::InputOutput> experiments;
  std::vector<std::string> left_out;  ///< in words: which blow, when, why
  std::vector<std::string> doubts;    ///< blows that are no use but had to stay
};

/// Cuts blows with a second hit or a clipped force out of the records, up to the next blow, as long
/// as each input keeps half of its blows. What lies before and after becomes experiments of their
/// own. Records of other forces stay as they are.
/// @throws InvalidInput if sizes disagree.
[[nodiscard]] HammerRecords without_bad_blows(const std::vector<signal::InputOutput>& experiments,
                                              double step);

}  // namespace alembert::identify
