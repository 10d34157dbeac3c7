#pragma once

#include <memory>

#include "alembert/model/flexible/sensors.hpp"
#include "study/parts/mechanism/mechanism_places.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Reads [mechanism] with its flexible bodies and builds it. @param start coordinates at which it
/// is assembled. @throws StudyError at what is to blame.
[[nodiscard]] std::shared_ptr<const model::flexible::FlexibleMechanism> read_flexible(
    const TableReader& mechanism, const Eigen::VectorXd& start, MechanismPlaces& places);

/// Reads [data.sensors] of it. @throws StudyError
[[nodiscard]] std::shared_ptr<const model::flexible::FlexibleSensors> read_flexible_sensors(
    const TableReader& data, const TableReader& mechanism,
    const model::flexible::FlexibleMechanism& built, MechanismPlaces& places);

/// @throws StudyError at the first key that only flexible bodies have.
void refuse_flexible(const TableReader& mechanism);

}  // namespace alembert::study
