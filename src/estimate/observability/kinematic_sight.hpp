#pragma once

// What a set of sensors sees of the coordinates at a place.

#include <Eigen/Core>
#include <vector>

#include "estimate/observability/kinematic_places.hpp"

namespace alembert::estimate {

/// Sensors of a mechanism that are looked at together.
struct SensorSet {
  std::vector<int> sensors;
  /// Derivatives of the readings at rest by the coordinates, in place of S: what is seen of the
  /// position, by accelerometers through gravity.
  bool at_rest = false;
};

/// Singular values of S at a place, and the motion it sees least.
struct Seen {
  Eigen::VectorXd z;
  Eigen::VectorXd values;  ///< n, falling; zero where there are fewer sensors
  Eigen::VectorXd unseen;

  [[nodiscard]] double least() const { return values(values.size() - 1); }
};

/// S with rows over standard deviations and columns of lengths times the size of the mechanism.
[[nodiscard]] Eigen::MatrixXd weighted_rows(const model::planar::Mechanism& mechanism,
                                            const SensorSet& set, Walker& walker);

[[nodiscard]] Seen seen_by(const Eigen::MatrixXd& S, const Eigen::VectorXd& z);

/// Places between those looked at where the least singular value has a minimum, from the places
/// where it is small. Those that are singular already are left as they are.
[[nodiscard]] std::vector<Seen> refined(const model::planar::Mechanism& mechanism,
                                        const SensorSet& set, const ObservabilityOptions& options,
                                        const std::vector<Seen>& seen, Walker& walker);

}  // namespace alembert::estimate
