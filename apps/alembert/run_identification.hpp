#pragma once

#include <filesystem>

#include "alembert/study/identify.hpp"
#include "commands.hpp"

namespace alembert::app {

/// Where a run writes: `--out`, or STUDY.out beside the study.
[[nodiscard]] std::filesystem::path out_folder(const RunArguments& arguments);

/// The task [identify] of the command `run`. Returns the exit code.
int run_identification(const study::IdentifyStudy& study, const RunArguments& arguments,
                       const StopFlag& stop, Session& session);

}  // namespace alembert::app
