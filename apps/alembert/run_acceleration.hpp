#pragma once

#include "alembert/study/acceleration.hpp"
#include "commands.hpp"

namespace alembert::app {

/// The task [identify] with method = "acceleration" of the command `run`. Returns the exit code.
int run_acceleration_study(const study::AccelerationStudy& study, const RunArguments& arguments,
                           const StopFlag& stop, Session& session);

}  // namespace alembert::app
