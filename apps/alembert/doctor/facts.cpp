#include "doctor/facts.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <fstream>
#include <thread>

#include "alembert/core/blas_information.hpp"
#include "alembert/core/text.hpp"
#include "alembert/core/version.hpp"
#include "alembert/distributed/mpi_machines.hpp"
#include "build/build_facts.hpp"
#include "session.hpp"

namespace alembert::app {
namespace {

// The value behind `key` and a separator in a text file of the system; "" if there is none.
std::string value_in(const std::string& file, const std::string& key, char separator) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t end = line.find(separator);
    if (end == std::string::npos || trimmed(line.substr(0, end)) != key) continue;
    std::string value(trimmed(line.substr(end + 1)));
    if (value.size() > 1 && value.front() == '"') value = value.substr(1, value.size() - 2);
    return value;
  }
  return "";
}

std::string system_words() {
  utsname name = {};
  if (uname(&name) != 0) return "unknown";
  const std::string known = value_in("/etc/os-release", "PRETTY_NAME", '=');
  return fmt::format("{}{} {}, {}", known.empty() ? "" : known + ", ", name.sysname, name.release,
                     name.machine);
}

std::string processor_words() {
  const std::string model = value_in("/proc/cpuinfo", "model name", ':');
  const unsigned cores = std::thread::hardware_concurrency();
  return fmt::format("{}, {} core{}", model.empty() ? "unknown" : model, cores,
                     cores == 1 ? "" : "s");
}

std::string memory_words() {
  const double bytes = machine_memory();
  return bytes > 0.0 ? fmt::format("{:.1f} GB", bytes / 1e9) : "unknown";
}

std::string blas_words() {
  const BlasInformation blas = blas_information();
  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...": its name and version
  const std::size_t second = blas.library.find(' ', blas.library.find(' ') + 1);
  return fmt::format("{}, kernels {}, {}", blas.library.substr(0, second), blas.kernels,
                     blas.serial         ? "serial: calls take turns"
                     : blas.threads == 1 ? "1 thread a product"
                                         : fmt::format("{} threads a product", blas.threads));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> machine_facts() {
  std::vector<std::string> libraries;
  for (const auto& [name, number] : built_with()) libraries.push_back(name + " " + number);
  return {{"version", fmt::format("{}, commit {}", version(), commit())},
          {"compiler", compiler_words()},
          {"libraries", join(libraries, ", ")},
          {"system", system_words()},
          {"processor", processor_words()},
          {"memory", memory_words()},
          {"BLAS", blas_words()},
          {"MPI", mpi_library()}};
}

}  // namespace alembert::app
