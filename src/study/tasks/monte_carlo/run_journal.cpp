#include "study/tasks/monte_carlo/run_journal.hpp"

#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/study/monte_carlo.hpp"
#include "core/sha256.hpp"
#include "study/result/json.hpp"
#include "study/tasks/monte_carlo/journal/journal_file.hpp"

namespace alembert::study {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSealLetters = 32;  // 128 bits

// A hash of what the line says and of what it is for, that only the user's key gives.
std::string seal_of(std::string_view line, const std::string& key) {
  const std::string text = fmt::format("{}\n{}\n{}", kJournalHead, kResultFormat, line);
  return hexadecimal(hmac_sha256(key, text)).substr(0, kSealLetters);
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

bool ends_torn(int descriptor) {
  const off_t size = lseek(descriptor, 0, SEEK_END);
  char last = '\n';
  return size > 0 && pread(descriptor, &last, 1, size - 1) == 1 && last != '\n';
}

// The run of an intact line of this study.
bool read_line(std::string_view line, const JournalSeal& seal, JournalContent& content) {
  const std::size_t last = line.rfind(' ');
  if (last == std::string_view::npos || last <= seal.fingerprint.size()) return false;
  const std::string_view text = line.substr(0, last);
  if (!text.starts_with(seal.fingerprint + " ") || seal.key.empty() ||
      line.substr(last + 1) != seal_of(text, seal.key)) {
    return false;
  }
  std::size_t index = 0;
  std::vector<double> numbers;
  if (!read_words(text.substr(seal.fingerprint.size() + 1), index, numbers)) return false;
  content.runs[index] = Eigen::Map<const Eigen::RowVectorXd>(
      numbers.data(), static_cast<Eigen::Index>(numbers.size()));
  return true;
}

}  // namespace

std::string journal_line(const JournalSeal& seal, std::size_t index,
                         const Eigen::RowVectorXd& numbers) {
  std::string line = fmt::format("{} {}", seal.fingerprint, index);
  for (const double number : numbers) line += " " + shortest(number);
  return line + " " + seal_of(line, seal.key) + "\n";
}

void read_journal_line(std::string_view line, const JournalSeal& seal, JournalContent& content) {
  if (!read_line(line, seal, content)) ++content.passed_over;
}

RunJournal::RunJournal(fs::path file, JournalSeal seal, const Machines& machines)
    : file_(std::move(file)), seal_(std::move(seal)) {
  // Without a key nothing could be told from a forgery later.
  if (file_.empty() || seal_.key.empty()) return;
  for (const fs::path& part : journal_files(file_)) {
    read_lines(part, kJournalHead,
               [&](std::string_view line) { read_journal_line(line, seal_, content_); });
  }
  // Nobody writes before all have read.
  machines.barrier();
  if (!machines.is_first()) file_ += fmt::format("-{}", machines.rank());
  descriptor_ = open_journal(file_, kJournalHead);
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(descriptor_);
    throw DataError({.file = file_.string()}, "another process is at work on this result");
  }
  // A torn line must not spoil the next one.
  if (ends_torn(descriptor_)) write_all(descriptor_, "\n", file_);
}

RunJournal::~RunJournal() {
  if (descriptor_ < 0) return;
  // Nothing was finished: no trace is left.
  const auto empty = static_cast<off_t>(kJournalHead.size() + 1);
  if (lseek(descriptor_, 0, SEEK_END) <= empty) unlink(file_.c_str());
  close(descriptor_);
}

void RunJournal::append(std::size_t index, const Eigen::RowVectorXd& numbers) {
  if (descriptor_ < 0) return;
  const std::string line = journal_line(seal_, index, numbers);
  const std::lock_guard<std::mutex> lock(mutex_);
  write_all(descriptor_, line, file_);
}

void remove_journal(const fs::path& journal) {
  std::error_code ignored;
  for (const fs::path& part : journal_files(journal)) {
    if (is_journal(part, kJournalHead)) fs::remove(part, ignored);
  }
}

}  // namespace alembert::study
