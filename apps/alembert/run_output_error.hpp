#pragma once

#include "alembert/study/output_error.hpp"
#include "commands.hpp"

namespace alembert::app {

/// The task [identify] with method = "output-error" of the command `run`. Returns the exit code.
int run_output_error_study(const study::OutputErrorStudy& study, const RunArguments& arguments,
                           const StopFlag& stop, Session& session);

}  // namespace alembert::app
