#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace alembert::test {

/// A file of the public benchmark records: in $ALEMBERT_DATA, else in ../shared/data beside the
/// project; nullopt where neither has it (skip the test then).
std::optional<std::filesystem::path> benchmark_file(const std::string& name);

/// The folder of the project, with its studies.
std::filesystem::path project_folder();

/// A fresh folder for files of one test, removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Writes a text file into the folder and returns its path.
  std::filesystem::path write(const std::string& name, const std::string& content) const;

 private:
  std::filesystem::path path_;
};

/// The whole content of a file.
std::string read_text(const std::filesystem::path& file);

}  // namespace alembert::test

/// Skips the test, with the reason, where the benchmark record is not on this machine.
#define ALEMBERT_REQUIRE_DATA(variable, name)                              \
  const auto variable##_found = alembert::test::benchmark_file(name);      \
  if (!variable##_found) GTEST_SKIP() << "no benchmark record " << (name); \
  const std::filesystem::path variable = *variable##_found
