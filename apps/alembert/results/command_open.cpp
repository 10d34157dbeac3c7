#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "alembert/core/error.hpp"
#include "commands.hpp"
#include "doctor/programs.hpp"
#include "terminal/terminal.hpp"

namespace alembert::app {
namespace {

namespace fs = std::filesystem;

// A study stands for the folder that its run writes, a folder for its report.
fs::path report_of(const fs::path& path) {
  std::error_code code;
  if (path.extension() == ".toml") {
    RunArguments run;
    run.study = path;
    return report_of(out_folder(run));
  }
  if (!fs::exists(path, code)) {
    throw DataError({.file = path.string()}, "does not exist; alembert run STUDY writes STUDY.out");
  }
  if (!fs::is_directory(path, code)) {
    // What else opens a file may run it.
    if (fs::is_regular_file(path, code) && path.extension() == ".html") return path;
    throw DataError({.file = path.string()}, "is neither a folder of a result nor its report.html");
  }
  const fs::path report = path / "report.html";
  if (!fs::is_regular_file(report, code)) {
    throw DataError({.file = path.string()}, "holds no report.html: not a folder of a result");
  }
  return report;
}

// Somebody is there to look at a window.
bool has_desktop() {
#if defined(__APPLE__)
  return true;
#else
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return true;
  }
  return false;
#endif
}

}  // namespace

int open_command(const OpenArguments& arguments, Session& session) {
  if (!session.machines.is_first()) return kDone;
  const fs::path report = fs::absolute(report_of(arguments.result)).lexically_normal();
  say("{}\n", report.string());
  if (arguments.print || !has_desktop()) return kDone;
  const fs::path opener = find_program({"xdg-open", "open"});
  if (opener.empty()) {
    tell("no xdg-open on the PATH: open the path above in a browser\n");
    return kDone;
  }
  if (run_program(opener, {report.string()}) == 0) return kDone;
  tell("{} could not open the report: open the path above in a browser\n", opener.string());
  return kNotSuccessful;
}

}  // namespace alembert::app
