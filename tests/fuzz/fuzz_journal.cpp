#include <fmt/format.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "alembert/core/error.hpp"
#include "core/sha256.hpp"
#include "study/result/json.hpp"
#include "study/tasks/monte_carlo/run_journal.hpp"

namespace {

using namespace alembert::study;
namespace fs = std::filesystem;

const JournalSeal kSeal{"0123456789abcdef", "a key that the fuzzer does not know"};

void require(bool condition) {
  if (!condition) std::abort();
}

Eigen::RowVectorXd some_run() { return Eigen::RowVector3d(1.5, -2e-300, 7.0); }

// A seal made by hand, so that the fuzzer gets behind it.
std::string sealed(std::string_view text) {
  const std::string line = kSeal.fingerprint + " " + std::string(text);
  const std::string all = fmt::format("{}\n{}\n{}", kJournalHead, kResultFormat, line);
  return line + " " + alembert::hexadecimal(alembert::hmac_sha256(kSeal.key, all)).substr(0, 32);
}

// It must be the one that journals have, or nothing is tested.
void check_seal() {
  require(sealed("3 1.5 -2e-300 7") + "\n" == journal_line(kSeal, 3, some_run()));
}

// A run of a sealed line comes back from its own line, bit for bit.
void read_sealed(std::string_view text) {
  JournalContent content;
  read_journal_line(sealed(text.substr(0, text.find('\n'))), kSeal, content);
  require(content.runs.size() + content.passed_over == 1);
  for (const auto& [index, numbers] : content.runs) {
    JournalContent again;
    const std::string line = journal_line(kSeal, index, numbers);
    read_journal_line(std::string_view(line).substr(0, line.size() - 1), kSeal, again);
    require(again.runs.count(index) == 1 && again.runs.at(index).size() == numbers.size());
    for (Eigen::Index k = 0; k < numbers.size(); ++k) {
      const double a = numbers(k);
      const double b = again.runs.at(index)(k);
      require(a == b || (a != a && b != b));
    }
  }
}

// What stands in a file under the name of the journal: nothing of it is believed without a seal.
// Where it is taken for a journal, a run that is added is there at the next call.
void open_file(std::string_view text) {
  static const fs::path file =
      fs::temp_directory_path() / fmt::format("alembert-fuzz-{}.runs", getpid());
  const alembert::Machines alone;
  fs::remove(file);
  std::ofstream(file, std::ios::binary)
      .write(text.data(), static_cast<std::streamsize>(text.size()));
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  try {
    {
      RunJournal journal(file, kSeal, alone);
      require(journal.finished().empty());
      journal.append(41, some_run());
    }
    const RunJournal again(file, kSeal, alone);
    require(again.finished().size() == 1 && again.finished().count(41) == 1);
  } catch (const alembert::DataError&) {
    // No journal: it stays as it is.
    require(fs::file_size(file) == text.size());
  }
  fs::remove(file);
}

}  // namespace

// The first byte says whether the rest is a line behind a right seal, or a file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  check_seal();
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  if (data[0] == 'f') {
    open_file(text);
  } else {
    read_sealed(text);
  }
  return 0;
}
