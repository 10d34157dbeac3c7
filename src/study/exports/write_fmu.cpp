#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

#include "alembert/code/fmu.hpp"
#include "alembert/core/error.hpp"
#include "alembert/io/archive.hpp"
#include "study/exports/export_parts.hpp"

namespace alembert::study {
namespace {

namespace fs = std::filesystem;

// Binaries have a place in a unit by the machine that runs them.
#if defined(__linux__) && defined(__x86_64__)
constexpr const char* kPlatform = "linux64";
#else
constexpr const char* kPlatform = nullptr;
#endif

/// A folder for the compiler, removed with the object.
class BuildFolder {
 public:
  BuildFolder() {
    std::string pattern = (fs::temp_directory_path() / "alembert-fmu-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw DataError({.file = pattern}, "cannot be made: no place for the compiler's files");
    }
    path_ = pattern;
  }
  ~BuildFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  BuildFolder(const BuildFolder&) = delete;
  BuildFolder& operator=(const BuildFolder&) = delete;

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream stream(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Runs a program in a folder without a shell; whether it ended with 0.
bool run_in(const fs::path& folder, std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = 0;
  const int failed =
      posix_spawnp(&process, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return false;
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// The shared library of a unit; "" where no compiler makes one.
std::string binary_of(const code::Program& program, const code::Fmu& fmu) {
  const std::string& name = program.options.name;
  const BuildFolder folder;
  folder.write(name + ".h", program.header);
  folder.write(name + ".c", program.source);
  folder.write(name + "_fmu.c", fmu.source);
  for (const char* compiler : {"cc", "gcc", "clang"}) {
    if (run_in(folder.path(),
               {compiler, "-std=c99", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-o",
                name + ".so", name + ".c", name + "_fmu.c", "-lm"})) {
      return folder.read(name + ".so");
    }
  }
  return "";
}

}  // namespace

std::string write_fmu(const StudyExport& found, const fs::path& file) {
  const code::Program& program = found.program;
  const std::string& name = program.options.name;
  const auto steps =
      static_cast<double>(std::max<Eigen::Index>(1, found.replay.outputs.rows() - 1));
  const code::Fmu fmu = code::make_fmu(program, program.step * steps);
  std::vector<io::ArchiveMember> members = {
      {"modelDescription.xml", fmu.description},
      {"sources/" + name + ".c", program.source},
      {"sources/" + name + ".h", program.header},
      {"sources/" + name + "_fmu.c", fmu.source},
      {"resources/" + name + "_record.txt", code::replay_text(program, found.replay)}};
  std::string note;
  const std::string binary = kPlatform == nullptr ? "" : binary_of(program, fmu);
  if (binary.empty()) {
    note =
        "no binary is in it, the sources alone: there is no C compiler here (cc, gcc, clang), or "
        "FMI 2.0 has no name for this machine";
  } else {
    members.push_back({fmt::format("binaries/{}/{}.so", kPlatform, name), binary});
  }
  io::write_archive(file, members);
  return note;
}

}  // namespace alembert::study
