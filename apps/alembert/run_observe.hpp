#pragma once

#include "alembert/study/observe.hpp"
#include "commands.hpp"

namespace alembert::app {

/// The task [observe] of the command `run`. Returns the exit code.
int run_observe_study(const study::ObserveStudy& study, const RunArguments& arguments,
                      Session& session);

}  // namespace alembert::app
