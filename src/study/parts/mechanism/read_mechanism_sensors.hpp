#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "study/parts/mechanism/mechanism_places.hpp"

namespace alembert::study {

/// Reads [mechanism] and data.sensors. @throws StudyError
[[nodiscard]] std::shared_ptr<const model::planar::Mechanism> read_mechanism_with_sensors(
    const TableReader& root, MechanismPlaces& places);

/// Puts the mechanism together at z with the geometry p; what does not fit is reported by name.
void check_assembly(const TableReader& mechanism, const MechanismPlaces& places,
                    const model::planar::Mechanism& built, const Eigen::VectorXd& z,
                    const Eigen::VectorXd& p, std::vector<Problem>& problems);

/// Whether the forces that sensors read can hold the mechanism, where there are such sensors.
/// @throws StudyError at the force, or at [mechanism].
void check_balance(const TableReader& mechanism, const MechanismPlaces& places,
                   const model::planar::Mechanism& built);

/// Reads data.sensors into the description. @throws StudyError
void read_mechanism_sensors(const TableReader& data,
                            model::planar::MechanismDescription& description,
                            MechanismPlaces& places);

}  // namespace alembert::study
