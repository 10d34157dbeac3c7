#include "io/file/memory_limit.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

#include "alembert/core/error.hpp"

namespace alembert::io {
namespace {

// Where a machine does not say what memory it has.
constexpr std::uintmax_t kUnknownMachine = std::uintmax_t{4} << 30U;

std::uintmax_t half_of_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return kUnknownMachine;
  return static_cast<std::uintmax_t>(pages) * static_cast<std::uintmax_t>(page) / 2;
}

std::string megabytes(double bytes) { return fmt::format("{:.4g} MB", bytes / 1e6); }

}  // namespace

std::uintmax_t memory_limit(const ReadLimits& limits) {
  return limits.memory > 0 ? limits.memory : half_of_memory();
}

void require_room(const std::string& file, const std::string& what, std::uintmax_t rows,
                  std::uintmax_t columns, std::uintmax_t bytes_of_one, const ReadLimits& limits) {
  const std::uintmax_t limit = memory_limit(limits);
  const std::uintmax_t places = limit / std::max<std::uintmax_t>(1, bytes_of_one);
  if (rows == 0 || columns <= places / rows) return;
  const double needed =
      static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(bytes_of_one);
  throw DataError(
      Place{.file = file},
      fmt::format("{} of {} x {} needs {} of memory, the limit is {} (data.memory, "
                  "--memory)",
                  what, rows, columns, megabytes(needed), megabytes(static_cast<double>(limit))));
}

void fail_without_memory(const std::filesystem::path& file) {
  throw DataError(Place{.file = file.string()}, "not enough memory to read it");
}

}  // namespace alembert::io
