#include <fmt/format.h>

#include "alembert/core/printable.hpp"
#include "alembert/study/study.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "terminal/terminal.hpp"

namespace alembert::app {

int check_command(const CheckArguments& arguments, Session& session) {
  study::LoadOptions options;
  options.overrides.reserve(arguments.changes.size() + 1);
  for (const std::string& change : arguments.changes) {
    options.overrides.push_back(study::parse_override(change));
  }
  options.memory = bytes_of(arguments.memory);
  int code = kDone;
  for (const std::filesystem::path& file : arguments.studies) {
    const study::LoadedStudy loaded = study::load_study(file, options);
    if (!loaded.problems.empty()) {
      const int found = print_problems(loaded.problems, session);
      if (code == kDone) {
        code = found;
      }
    } else if (session.speaks()) {
      say("{}: ok\n", printable(file.string()));
      if (loaded.study != nullptr) {
        for (const std::string& remark : loaded.study->remarks()) say("  note: {}\n", remark);
      }
    }
  }
  return code;
}

}  // namespace alembert::app
