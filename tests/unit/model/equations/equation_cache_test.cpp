#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "alembert/core/error.hpp"
#include "support/data.hpp"
#include "support/equation_support.hpp"
#include "support/message_of.hpp"

namespace alembert::model {
namespace equation_cache_test {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using testing::HasSubstr;
using testing::Not;

EquationModel decay() {
  EquationSetup setup;
  setup.outputs = {{"x", ""}};
  setup.parameters = {{"rate", ""}};
  setup.starts = {{"x", "1"}};
  return parse_equations("x' = -rate*x", setup);
}

EngineOptions native_in(const fs::path& folder) {
  return {.kind = EngineKind::Native, .cache_folder = folder.string()};
}

double slope(const CompiledEquations& compiled) {
  EquationEvaluator evaluator(compiled);
  evaluator.set_parameters(std::vector<double>{3.0});
  const double x = 2.0;
  double dx = 0.0;
  evaluator.derivatives(0.0, &x, nullptr, &dx);
  return dx;
}

std::vector<fs::path> libraries(const fs::path& folder) {
  std::vector<fs::path> result;
  for (const auto& entry : fs::directory_iterator(folder)) {
    result.push_back(entry.path());
  }
  return result;
}

TEST(EquationCache, SecondCompilationComesFromTheCache) {
  const TemporaryFolder folder;
  const fs::path cache = folder.path() / "deep" / "cache";
  const mode_t before = ::umask(0);  // new files are open to all: the cache must close its own
  const CompiledEquations first(decay(), native_in(cache));
  ::umask(before);
  EXPECT_FALSE(first.from_cache());
  EXPECT_EQ(first.engine(), EngineKind::Native);
  const CompiledEquations second(decay(), native_in(cache));
  EXPECT_TRUE(second.from_cache());
  EXPECT_EQ(slope(first), -6.0);
  EXPECT_EQ(slope(second), -6.0);
  EXPECT_EQ(libraries(cache).size(), 1u);  // and nothing left from the compilation
  EXPECT_EQ(fs::status(cache).permissions() & fs::perms::all, fs::perms::owner_all);
}

TEST(EquationCache, DamagedFilesAreCompiledAgain) {
  const TemporaryFolder folder;
  const fs::path cache = folder.path() / "cache";
  { const CompiledEquations first(decay(), native_in(cache)); }
  const fs::path library = libraries(cache).at(0);
  const auto size = fs::file_size(library);
  const auto damage = [&](const auto& change) {
    change();
    const CompiledEquations again(decay(), native_in(cache));
    EXPECT_FALSE(again.from_cache());
    EXPECT_EQ(slope(again), -6.0);
  };
  damage([&] { fs::resize_file(library, size / 2); });
  damage([&] {
    std::fstream file(library, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(size / 2));
    file << "damaged";
  });
  damage([&] { std::ofstream(library) << "#!/bin/sh\n"; });
  damage([&] { fs::permissions(library, fs::perms::all); });  // others could have changed it
  const CompiledEquations last(decay(), native_in(cache));
  EXPECT_TRUE(last.from_cache());
}

TEST(EquationCache, FoldersThatOthersMayWriteAreNotUsed) {
  const TemporaryFolder folder;
  const fs::path cache = folder.path() / "open";
  fs::create_directory(cache);
  fs::permissions(cache, fs::perms::all);
  const CompiledEquations compiled(decay(), native_in(cache));
  EXPECT_EQ(compiled.engine(), EngineKind::Native);
  EXPECT_EQ(slope(compiled), -6.0);
  EXPECT_TRUE(libraries(cache).empty());
}

TEST(EquationCache, WithoutACompilerTheInterpreterServes) {
  const TemporaryFolder folder;
  const auto with = [&](const std::string& compiler, EngineKind kind) {
    return CompiledEquations(decay(), {.kind = kind,
                                       .cache_folder = (folder.path() / "cache").string(),
                                       .compiler = compiler,
                                       .timeout = 0.3});
  };
  const fs::path slow = folder.write("slow", "#!/bin/sh\nexec sleep 20\n");
  const fs::path wrong = folder.write("wrong", "#!/bin/sh\necho out of paper\nexit 1\n");
  fs::permissions(slow, fs::perms::owner_all);
  fs::permissions(wrong, fs::perms::owner_all);
  for (const auto& [compiler, reason] :
       {std::pair<std::string, std::string>{"/no/such/compiler", "cannot be started"},
        {slow.string(), "took longer than 0.3 s"},
        {wrong.string(), "failed: out of paper"}}) {
    const CompiledEquations compiled = with(compiler, EngineKind::Automatic);
    EXPECT_EQ(compiled.engine(), EngineKind::Interpreter);
    EXPECT_THAT(compiled.note(), HasSubstr(reason));
    EXPECT_EQ(slope(compiled), -6.0);
  }
  EXPECT_THAT(test::message_of([&] { with("/no/such/compiler", EngineKind::Native); }),
              HasSubstr("CompiledEquations: no native code"));
}

// A model that takes the compiler too long does not keep every run waiting.
TEST(EquationCache, RemembersATimeOut) {
  const TemporaryFolder folder;
  const fs::path cache = folder.path() / "cache";
  const fs::path slow = folder.write("slow", "#!/bin/sh\nexec sleep 20\n");
  fs::permissions(slow, fs::perms::owner_all);
  const auto run = [&](double timeout) {
    const CompiledEquations compiled(
        decay(), {.cache_folder = cache.string(), .compiler = slow.string(), .timeout = timeout});
    EXPECT_EQ(slope(compiled), -6.0);
    return compiled.note();
  };
  EXPECT_EQ(run(0.1), "the compiler took longer than 0.1 s");
  EXPECT_EQ(run(0.1), "the compiler took longer than 0.1 s before");
  EXPECT_EQ(run(0.05), "the compiler took longer than 0.05 s before");
  EXPECT_EQ(run(0.2), "the compiler took longer than 0.2 s");  // more time may be enough
  EXPECT_EQ(run(0.2), "the compiler took longer than 0.2 s before");
  const fs::path note = libraries(cache).at(0);
  fs::last_write_time(note, fs::file_time_type::clock::now() - std::chrono::hours(8 * 24));
  EXPECT_EQ(run(0.1), "the compiler took longer than 0.1 s");  // after a week it is tried again
  fs::permissions(note, fs::perms::all);                       // others could have written it
  EXPECT_EQ(run(0.1), "the compiler took longer than 0.1 s");
  EXPECT_EQ(libraries(cache).size(), 1u);
}

// Where a machine has no processes left, gcc waits seven seconds before it says so: once is enough.
TEST(EquationCache, ACompilerThatFailsIsNotStartedForEveryModel) {
  const TemporaryFolder folder;
  const fs::path cache = folder.path() / "cache";
  const fs::path calls = folder.path() / "calls";
  const fs::path failing = folder.write(
      "failing", "#!/bin/sh\necho x >>" + calls.string() + "\necho no more processes\nexit 1\n");
  fs::permissions(failing, fs::perms::owner_all);
  for (const char* text : {"x' = -2*x", "x' = -3*x", "x' = -4*x"}) {
    const CompiledEquations compiled(
        parse_equations(text, {}), {.cache_folder = cache.string(), .compiler = failing.string()});
    EXPECT_EQ(compiled.engine(), EngineKind::Interpreter);
    EXPECT_THAT(compiled.note(), HasSubstr("failed: no more processes")) << text;
  }
  EXPECT_EQ(test::read_text(calls), "x\n");
}

// The compiler starts other programs, the assembler and the linker: those of the working folder
// must not be among them.
TEST(EquationCache, StartsNoProgramOfTheWorkingFolder) {
  const TemporaryFolder folder;
  const fs::path ran = folder.path() / "ran", before = fs::current_path();
  const std::string path = std::getenv("PATH");
  const std::string temporary = std::getenv("TMPDIR") == nullptr ? "" : std::getenv("TMPDIR");
  for (const char* name : {"as", "ld", "collect2", "cc1", "cc", "gcc", "clang"}) {
    const fs::path fake = folder.write(name, "#!/bin/sh\n: > " + ran.string() + "\nexit 1\n");
    fs::permissions(fake, fs::perms::owner_all);
  }
  fs::create_directory(folder.path() / "tools");
  fs::copy_file(folder.path() / "as", folder.path() / "tools" / "as");
  fs::current_path(folder.path());
  int k = 0;
  for (const std::string& relative :
       {".:" + path, "/nowhere::" + path, "tools:" + path, std::string(".")}) {
    ::setenv("PATH", relative.c_str(), 1);
    ::setenv("TMPDIR", "tools", 1);
    ::setenv("COMPILER_PATH", "tools", 1);
    ::setenv("GCC_EXEC_PREFIX", "tools/", 1);
    EngineOptions options{.cache_folder = (folder.path() / std::to_string(k++)).string()};
    if (relative.size() < 2) options.compiler = "/usr/bin/cc";
    if (options.compiler.empty() || fs::exists(options.compiler)) {
      const CompiledEquations compiled(decay(), options);
      EXPECT_EQ(compiled.note(), "") << relative;
    }
  }
  ::setenv("PATH", path.c_str(), 1);
  temporary.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", temporary.c_str(), 1);
  for (const char* name : {"COMPILER_PATH", "GCC_EXEC_PREFIX"}) ::unsetenv(name);
  fs::current_path(before);
  EXPECT_FALSE(fs::exists(ran));
}

TEST(EquationCache, ProcessesMayCompileAtOnce) {
  const TemporaryFolder folder;
  const fs::path cache = folder.path() / "cache";
  std::vector<pid_t> children;
  for (int k = 0; k < 4; ++k) {
    const pid_t child = ::fork();
    if (child == 0) {
      bool good = false;
      try {
        good = slope(CompiledEquations(decay(), native_in(cache))) == -6.0;
      } catch (const std::exception&) {
        good = false;
      }
      ::_exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(libraries(cache).size(), 1u);
}

TEST(EquationSource, IsTheSameForTheSameText) { EXPECT_EQ(decay().c_source(), decay().c_source()); }

// Nothing of the text reaches the compiler but checked names, in comments, and numbers.
TEST(EquationSource, HoldsNoTextOfTheUser) {
  EquationSetup setup;
  setup.parameters = {{"system", ""}};
  setup.constants = {{"main", 0.1, ""}};
  setup.tables = {{"*/ int main() { abort(); } /*", {0.0, 1.0}, {0.0, 1.0}, {}, "", ""}};
  const std::string source =
      parse_equations("x' = system*main*table(\"*/ int main() { abort(); } /*\", x)", setup)
          .c_source();
  EXPECT_THAT(source, Not(HasSubstr("abort")));
}

TEST(EquationSource, CompilesWithoutWarnings) {
  const TemporaryFolder folder;
  for (const EquationModel& model : {decay(), test::rich_model()}) {
    const fs::path file = folder.write("model.c", model.c_source());
    const std::string command =
        "cc -std=c99 -Wall -Wextra -Wpedantic -Wno-unused-parameter "
        "-Werror -c " +
        file.string() + " -o " + (folder.path() / "model.o").string();
    EXPECT_EQ(std::system(command.c_str()), 0);
  }
}

}  // namespace equation_cache_test
}  // namespace alembert::model
