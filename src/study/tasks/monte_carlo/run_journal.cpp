#include "study/tasks/monte_carlo/run_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/study/monte_carlo.hpp"
#include "study/parts/hash.hpp"

namespace alembert::study {
namespace {

namespace fs = std::filesystem;

std::string checksum(std::string_view text) { return fmt::format("{:016x}", fnv_hash(text)); }

[[noreturn]] void fail_journal(const fs::path& file, const std::string& what) {
  throw DataError({.file = file.string()},
                  what + ": " + std::error_code(errno, std::generic_category()).message());
}

// The journals of all processes of earlier jobs: NAME, NAME-1, NAME-2, ...
std::vector<fs::path> journal_files(const fs::path& file) {
  std::vector<fs::path> found;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const std::string name = file.filename().string();
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    const std::string other = entry->path().filename().string();
    if (other.rfind(name, 0) != 0) continue;
    const std::string rest = other.substr(name.size());
    const bool numbered = rest.size() > 1 && rest.front() == '-' &&
                          rest.find_first_not_of("0123456789", 1) == std::string::npos;
    if (rest.empty() || numbered) found.push_back(entry->path());
  }
  return found;
}

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Index and numbers of a line without fingerprint and checksum; false if a word is no number.
bool read_words(std::string_view text, std::size_t& index, std::vector<double>& numbers) {
  const char* at = text.data();
  const char* end = at + text.size();
  const auto first = std::from_chars(at, end, index);
  if (first.ec != std::errc()) return false;
  at = first.ptr;
  while (at != end) {
    double number = 0.0;
    if (*at != ' ') return false;
    const auto next = std::from_chars(at + 1, end, number);
    if (next.ec != std::errc()) return false;
    numbers.push_back(number);
    at = next.ptr;
  }
  return true;
}

void write_all(int descriptor, const std::string& text, const fs::path& file) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) fail_journal(file, "cannot be written");
    done += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
}

}  // namespace

std::string journal_line(const std::string& fingerprint, std::size_t index,
                         const Eigen::RowVectorXd& numbers) {
  std::string line = fmt::format("{} {}", fingerprint, index);
  for (const double number : numbers) line += " " + shortest(number);
  return line + " " + checksum(line) + "\n";
}

void read_journal(const std::string& text, const std::string& fingerprint,
                  std::map<std::size_t, Eigen::RowVectorXd>& runs) {
  std::size_t begin = 0;
  // What follows the last line end was torn.
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    const std::size_t last = line.rfind(' ');
    if (last == std::string_view::npos || last <= fingerprint.size()) continue;
    const std::string_view content = line.substr(0, last);
    if (content.rfind(fingerprint + " ", 0) != 0 || line.substr(last + 1) != checksum(content)) {
      continue;
    }
    std::size_t index = 0;
    std::vector<double> numbers;
    if (!read_words(content.substr(fingerprint.size() + 1), index, numbers)) continue;
    runs[index] = Eigen::Map<const Eigen::RowVectorXd>(numbers.data(),
                                                       static_cast<Eigen::Index>(numbers.size()));
  }
}

RunJournal::RunJournal(fs::path file, std::string fingerprint, const Machines& machines)
    : file_(std::move(file)), fingerprint_(std::move(fingerprint)) {
  if (file_.empty()) return;
  for (const fs::path& part : journal_files(file_)) {
    read_journal(content_of(part), fingerprint_, finished_);
  }
  // Nobody writes before all have read.
  machines.barrier();
  if (!machines.is_first()) file_ += fmt::format("-{}", machines.rank());
  descriptor_ = open(file_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail_journal(file_, "cannot be opened");
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(descriptor_);
    throw DataError({.file = file_.string()}, "another process is at work on this result");
  }
  // A torn line must not spoil the next one.
  const std::string before = content_of(file_);
  if (!before.empty() && before.back() != '\n') write_all(descriptor_, "\n", file_);
}

RunJournal::~RunJournal() {
  if (descriptor_ < 0) return;
  // Nothing was finished: no trace is left.
  if (lseek(descriptor_, 0, SEEK_END) == 0) unlink(file_.c_str());
  close(descriptor_);
}

void RunJournal::append(std::size_t index, const Eigen::RowVectorXd& numbers) {
  if (descriptor_ < 0) return;
  const std::string line = journal_line(fingerprint_, index, numbers);
  const std::lock_guard<std::mutex> lock(mutex_);
  write_all(descriptor_, line, file_);
}

void remove_journal(const fs::path& journal) {
  std::error_code ignored;
  for (const fs::path& part : journal_files(journal)) fs::remove(part, ignored);
}

}  // namespace alembert::study
