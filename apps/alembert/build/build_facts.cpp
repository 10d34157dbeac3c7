#include "build/build_facts.hpp"

#include <fmt/format.h>

#include "alembert/core/text.hpp"
#include "alembert/core/version.hpp"
#include "commit.hpp"
#include "help_page.hpp"

namespace alembert::app {

std::string_view commit() { return ALEMBERT_COMMIT; }

std::string compiler_words() {
#if defined(__clang__)
  const std::string compiler =
      fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  const std::string compiler =
      fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
  return fmt::format("{}, C++20, {}", compiler, ALEMBERT_BUILD_TYPE);
}

const std::vector<std::pair<std::string, std::string>>& built_with() {
  static const std::vector<std::pair<std::string, std::string>> libraries = {
#include "libraries.hpp"
  };
  return libraries;
}

std::string version_text() {
  std::vector<std::string> libraries;
  libraries.reserve(built_with().size());
  for (const auto& [name, number] : built_with()) libraries.push_back(name + " " + number);
  return fmt::format("alembert {}\ncommit {}\ncompiler {}\nlibraries {}\n", version(), commit(),
                     compiler_words(), wrapped(join(libraries, ", "), 10));
}

}  // namespace alembert::app
