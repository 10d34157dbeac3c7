// measure_read_csv FILE THREADS REPEATS: reads a text table and prints one line of JSON: the time
// of each reading in s, the bytes of the numbers read, and the peak memory in bytes before the
// first reading and at the end.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "alembert/io/csv.hpp"
#include "tests/support/memory_peak.hpp"

namespace {

void measure(const std::string& file, int threads, int repeats) {
  const long long before = alembert::test::peak_memory();
  std::vector<double> seconds;
  long long bytes = 0;
  double sum = 0.0;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const alembert::signal::Record record =
        alembert::io::read_csv(file, {.step = 1.0}, {.threads = threads});
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    seconds.push_back(time.count());
    bytes = 8LL * record.samples().size();
    sum = record.samples().sum();
  }
  fmt::print(
      "{{\"seconds\": [{}], \"number_bytes\": {}, \"before\": {}, \"peak\": {}, \"sum\": {}}}\n",
      fmt::join(seconds, ", "), bytes, before, alembert::test::peak_memory(), sum);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    fmt::print(stderr, "usage: measure_read_csv FILE THREADS REPEATS\n");
    return 2;
  }
  try {
    measure(arguments[1], std::atoi(arguments[2]), std::atoi(arguments[3]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
}
