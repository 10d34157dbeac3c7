#include "reproductions/benchmark_data.hpp"

#include <fmt/format.h>

#include "alembert/core/error.hpp"

namespace alembert::reproductions {

std::filesystem::path benchmark_file(const ReproduceOptions& options,
                                     const std::string& reproduction, const std::string& path) {
  if (options.data.empty()) {
    throw InvalidInput({.function = fmt::format("reproduce {}", reproduction),
                        .argument = "data",
                        .rule = fmt::format("must be the folder with the public record {}, which "
                                            "is not shipped; give --data or set ALEMBERT_DATA",
                                            path)});
  }
  const std::filesystem::path file = options.data / path;
  if (!std::filesystem::exists(file)) {
    throw DataError(
        {.file = file.string()},
        fmt::format("no such file; reproduce {} needs this public record", reproduction));
  }
  return file;
}

}  // namespace alembert::reproductions
