#include "support/data.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace alembert::test {

namespace fs = std::filesystem;

std::optional<fs::path> benchmark_file(const std::string& name) {
  if (const char* folder = std::getenv("ALEMBERT_DATA")) {
    if (fs::exists(fs::path(folder) / name)) {
      return fs::path(folder) / name;
    }
  }
  const fs::path beside = fs::path(ALEMBERT_SOURCE_DIR) / ".." / "shared" / "data" / name;
  return fs::exists(beside) ? std::optional(beside) : std::nullopt;
}

fs::path project_folder() { return ALEMBERT_SOURCE_DIR; }

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "alembert-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw std::runtime_error("cannot make a temporary folder");
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TemporaryFolder::write(const std::string& name, const std::string& content) const {
  std::ofstream(path_ / name, std::ios::binary) << content;
  return path_ / name;
}

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace alembert::test
