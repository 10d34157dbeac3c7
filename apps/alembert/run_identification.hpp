#pragma once

#include "alembert/study/identify.hpp"
#include "commands.hpp"

namespace alembert::app {

/// The task [identify] of the command `run`. Returns the exit code.
int run_identification(const study::IdentifyStudy& study, const RunArguments& arguments,
                       const StopFlag& stop, Session& session);

}  // namespace alembert::app
