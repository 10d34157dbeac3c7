#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/model/planar/mechanism.hpp"

/// Whether the unknown forces of a mechanism can be told from a record, before and after it is
/// used.
namespace alembert::estimate {

/// What unknown forces do along a motion. The effect of a unit of each is B1⁻¹ B2 on the measured
/// forces, where these are as many as coordinates, else M⁻¹ B2 on the accelerations.
struct ForceSight {
  std::vector<std::string> forces;  ///< names of the unknown ones
  bool by_cells = false;            ///< effects on measured forces, else on accelerations
  Eigen::VectorXd least = {};       ///< least singular value of the effect, at each place looked at
  Eigen::VectorXd condition = {};   ///< largest over least there; infinite if that is zero
  /// Largest effect of each force alone, over all places.
  Eigen::VectorXd alone = {};
  /// The mix of forces that is seen least where it is seen best, of unit length.
  Eigen::VectorXd mix = {};
  int singular = 0;  ///< places where B1, or M, cannot be divided by

  /// Whether there is a place that tells all unknown forces, or no place was looked at.
  [[nodiscard]] bool possible() const;
  /// Why not, and what to do; "" if it is possible.
  [[nodiscard]] std::string why_not() const;
  /// How well they are seen along the motion: effects, condition, dead centres. Sentences.
  [[nodiscard]] std::vector<std::string> words() const;
};

/// Looks at up to 500 places of a path. @param start coordinates where the mechanism is assembled.
/// @param path samples x states, the coordinates first.
[[nodiscard]] ForceSight examine_forces(const model::planar::Mechanism& mechanism,
                                        const Eigen::Ref<const Eigen::VectorXd>& start,
                                        const Eigen::Ref<const Eigen::MatrixXd>& path);

/// Where readings say that the mechanism is, before anything is estimated: the coordinates that
/// sensors read themselves, the others as at the start; samples x coordinates.
/// @param readings samples x sensors, NaN: missing.
[[nodiscard]] Eigen::MatrixXd places_from_readings(
    const model::planar::Mechanism& mechanism, const Eigen::Ref<const Eigen::VectorXd>& start,
    const Eigen::Ref<const Eigen::MatrixXd>& readings);

/// Whether a record can tell the unknown forces, at the places that its readings say.
/// @throws InvalidInput, beginning with `function`, which names forces that nothing sees, or that
///   cannot be told apart, and what to do.
void check_forces_seen(const char* function, const model::planar::Mechanism& mechanism,
                       const Eigen::Ref<const Eigen::VectorXd>& start,
                       const Eigen::Ref<const Eigen::MatrixXd>& readings);

}  // namespace alembert::estimate
