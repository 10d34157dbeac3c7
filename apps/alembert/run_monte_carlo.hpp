#pragma once

#include "alembert/study/monte_carlo.hpp"
#include "commands.hpp"

namespace alembert::app {

/// Runs a study with the task [monte-carlo], prints and writes its result. Returns the exit code.
int run_monte_carlo_study(const study::MonteCarloStudy& study, const RunArguments& arguments,
                          const StopFlag& stop, Session& session);

}  // namespace alembert::app
