#include <fmt/format.h>

#include "alembert/study/study.hpp"
#include "commands.hpp"
#include "print.hpp"

namespace alembert::app {

int check_command(const CheckArguments& arguments, Session& session) {
  study::LoadOptions options;
  options.overrides.reserve(arguments.changes.size() + 1);
  for (const std::string& change : arguments.changes) {
    options.overrides.push_back(study::parse_override(change));
  }
  int code = kDone;
  for (const std::filesystem::path& file : arguments.studies) {
    const study::LoadedStudy loaded = study::load_study(file, options);
    if (!loaded.problems.empty()) {
      const int found = print_problems(loaded.problems, session);
      if (code == kDone) {
        code = found;
      }
    } else if (session.speaks()) {
      fmt::print("{}: ok\n", file.string());
      if (loaded.study != nullptr) {
        for (const std::string& remark : loaded.study->remarks()) {
          fmt::print("  note: {}\n", remark);
        }
      }
    }
  }
  return code;
}

}  // namespace alembert::app
