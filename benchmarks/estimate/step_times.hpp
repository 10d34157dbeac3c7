#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

namespace alembert::benchmark {

inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Least cost of reading the clock twice, in ns.
inline double clock_cost() {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 10000; ++k) {
    const auto start = std::chrono::steady_clock::now();
    const auto stop = std::chrono::steady_clock::now();
    least = std::min(least, std::chrono::duration<double, std::nano>(stop - start).count());
  }
  return least;
}

/// Times step() and prints a line of JSON. @param failures is counted by step().
template <typename Step>
void measure_steps(const std::string& model, const std::string& filter, long steps,
                   const long& failures, const Step& step) {
  for (long k = 0; k < steps / 10; ++k) step();
  double mean = std::numeric_limits<double>::infinity();
  for (int part = 0; part < 10; ++part) {
    const double start = cpu_seconds();
    for (long k = 0; k < steps / 10; ++k) step();
    mean = std::min(mean, (cpu_seconds() - start) / static_cast<double>(steps / 10));
  }
  const double cost = clock_cost();
  std::vector<double> times(static_cast<std::size_t>(steps));
  for (double& time : times) {
    const auto start = std::chrono::steady_clock::now();
    step();
    const auto stop = std::chrono::steady_clock::now();
    time = std::chrono::duration<double, std::nano>(stop - start).count() - cost;
  }
  std::sort(times.begin(), times.end());
  const auto rank = static_cast<std::size_t>(0.999 * static_cast<double>(steps - 1));
  fmt::print(
      "{{\"model\": \"{}\", \"filter\": \"{}\", \"mean_ns\": {:.1f}, \"p999_ns\": {:.0f}, "
      "\"worst_ns\": {:.0f}, \"failures\": {}}}\n",
      model, filter, 1e9 * mean, times[rank], times.back(), failures);
}

}  // namespace alembert::benchmark
