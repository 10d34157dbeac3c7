#pragma once

#include "alembert/study/observe.hpp"
#include "study/tasks/observe/start_from_readings.hpp"

namespace alembert::study {

/// Takes over what the first readings say of the start and the study does not give itself:
/// positions, velocities and accelerations, with three times their standard deviations.
void take_start(const RecordStart& found, ObserveStudy& study);

}  // namespace alembert::study
