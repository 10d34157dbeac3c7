#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "alembert/code/program.hpp"
#include "support/data.hpp"

namespace alembert::test {

/// Flags under which a program must be clean.
inline constexpr const char* kStrict = "-std=c99 -O2 -Wall -Wextra -Wconversion -pedantic -Werror";

inline bool has_program(const std::string& name) {
  return std::system(("command -v " + name + " > /dev/null 2>&1").c_str()) == 0;
}

/// What a command prints, and its exit code.
struct Ran {
  int code = -1;
  std::string text;
};

inline Ran run_command(const std::string& command) {
  Ran ran;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return ran;
  char buffer[256];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) ran.text += buffer;
  ran.code = pclose(pipe);
  return ran;
}

/// Compiles a program with its test and replays the record.
inline Ran replayed(const code::Program& program, const code::Replay& replay,
                    const std::string& compiler, const std::string& tolerance = "",
                    const std::string& flags = kStrict) {
  const TemporaryFolder folder;
  const std::string name = program.options.name;
  folder.write(name + ".h", program.header);
  folder.write(name + ".c", program.source);
  folder.write(name + "_test.c", program.test);
  folder.write("record.txt", code::replay_text(program, replay));
  const std::string at = "cd " + folder.path().string() + " && ";
  const Ran compiled = run_command(at + compiler + " " + flags + " " + name + ".c " + name +
                                   "_test.c -o replay -lm");
  if (compiled.code != 0) return compiled;
  return run_command(at + "./replay record.txt " + tolerance);
}

}  // namespace alembert::test

/// Skips the test where a program is missing.
#define ALEMBERT_REQUIRE_PROGRAM(name) \
  if (!alembert::test::has_program(name)) GTEST_SKIP() << "no " << (name)
