#pragma once

#include <filesystem>
#include <functional>

#include "alembert/core/distributed.hpp"
#include "alembert/core/progress.hpp"

namespace alembert::study {

/// Called at each new best point of a search: simulations so far, and the cost there.
using OnBest = std::function<void(long evaluations, double cost)>;

/// How to run.
struct RunOptions {
  int threads = 0;              ///< 0 takes all cores
  OnProgress on_progress = {};  ///< after each finished part: an experiment, a run, a search
  const StopFlag* stop = nullptr;
  OnBest on_best = {};  ///< at each new best point of a search
};

/// What a task is run with: the same for all tasks.
struct RunContext {
  const Machines& machines;
  RunOptions options = {};
  std::filesystem::path out = {};  ///< folder of the result, beside which a task may keep files
  double memory = 0.0;             ///< bytes that this machine has; 0: not known
};

}  // namespace alembert::study
