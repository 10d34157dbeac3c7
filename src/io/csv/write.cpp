#include <fcntl.h>
#include <fmt/core.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <functional>
#include <system_error>

#include "alembert/core/error.hpp"
#include "alembert/io/csv.hpp"
#include "io/csv/notes.hpp"
#include "io/file/file_content.hpp"
#include "io/record/column_title.hpp"

namespace alembert::io {
namespace {

namespace fs = std::filesystem;

// Text is collected up to this size before it goes to the file.
constexpr std::size_t kBlock = std::size_t{256} * 1024;

using Sink = std::function<void(std::string_view)>;

void append_number(std::string& text, double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

// A header cell, in quotes where it needs them.
std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",;\"") == std::string::npos && !cell.empty()) {
    return cell;
  }
  std::string result = "\"";
  for (const char letter : cell) {
    result.append(letter == '"' ? 2U : 1U, letter);
  }
  return result + '"';
}

// A name for the time column that no channel has and that the reader takes for one.
std::string time_name(const signal::Record& record) {
  for (const char* name : {"t", "time", "Time"}) {
    if (!record.find(name)) {
      return name;
    }
  }
  int number = 2;
  while (record.find(fmt::format("time ({})", number))) {
    ++number;
  }
  return fmt::format("time ({})", number);
}

// Comment lines with all that names, units and numbers do not say.
std::string notes_of(const signal::Record& record) {
  std::string text;
  if (!record.title().empty()) {
    text += fmt::format("# {}\n", csv::title_note(record.title()));
  }
  const signal::TimeAxis& time = record.time();
  text += time.is_uniform() ? fmt::format("# {}\n", csv::step_note(time.step(), time.start()))
                            : std::string("# time = column\n");
  for (std::size_t c = 0; c < record.channels().size(); ++c) {
    const signal::Channel& channel = record.channels()[c];
    if (parse_title_cell(title_cell(channel)) != channel) {
      text += fmt::format("# {}\n", csv::column_note(c + 2, channel));
    }
  }
  return text;
}

std::string header(const signal::Record& record) {
  std::string names = time_name(record) + " [s]";
  for (const signal::Channel& channel : record.channels()) {
    names += ',';
    names += quoted(title_cell(channel));
  }
  return names + "\n";
}

void append_time(std::string& text, const signal::TimeAxis& time, Eigen::Index k) {
  const double value = time[k];
  // Where 15 digits are enough to tell samples apart, they spare others the rounding error of
  // start + k step (0.3 instead of 0.30000000000000004).
  if (time.is_uniform() && std::abs(value) * 1e-15 <= 1e-8 * time.step()) {
    fmt::format_to(std::back_inserter(text), "{:.15g}", value);
  } else {
    append_number(text, value);
  }
}

void write_rows(const signal::Record& record, CsvNotes notes, const Sink& sink) {
  std::string text = notes == CsvNotes::Exact ? notes_of(record) : std::string();
  text += header(record);
  const Eigen::MatrixXd& samples = record.samples();
  for (Eigen::Index k = 0; k < record.size(); ++k) {
    append_time(text, record.time(), k);
    for (Eigen::Index c = 0; c < samples.cols(); ++c) {
      text += ',';
      if (!std::isnan(samples(k, c))) {
        append_number(text, samples(k, c));
      }
    }
    text += '\n';
    if (text.size() >= kBlock) {
      sink(text);
      text.clear();
    }
  }
  sink(text);
}

void write_all(int descriptor, std::string_view text, const fs::path& file) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) {
      throw DataError(Place{.file = file.string()},
                      fmt::format("cannot be written: {}", std::generic_category().message(errno)));
    }
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
}

// Calls fill with a sink that writes to the file.
void write_file(const fs::path& file, const std::function<void(const Sink&)>& fill) {
  replace_file(file, [&](const fs::path& part) {
    const int descriptor = open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) {
      throw DataError(Place{.file = file.string()},
                      fmt::format("cannot be written: {}", std::generic_category().message(errno)));
    }
    try {
      fill([&](std::string_view text) { write_all(descriptor, text, file); });
    } catch (...) {
      close(descriptor);
      throw;
    }
    if (close(descriptor) != 0) {
      throw DataError(Place{.file = file.string()},
                      fmt::format("cannot be written: {}", std::generic_category().message(errno)));
    }
  });
}

}  // namespace

void write_csv(const fs::path& file, const signal::Record& record, CsvNotes notes) {
  write_file(file, [&](const Sink& sink) { write_rows(record, notes, sink); });
}

std::string format_csv(const signal::Record& record, CsvNotes notes) {
  std::string result;
  write_rows(record, notes, [&](std::string_view text) { result += text; });
  return result;
}

void write_csv_matrix(const fs::path& file, const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
  write_file(file, [&](const Sink& sink) {
    std::string text;
    for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
      for (Eigen::Index column = 0; column < matrix.cols(); ++column) {
        text.append(column > 0 ? 1U : 0U, ',');
        append_number(text, matrix(row, column));
      }
      text += '\n';
      if (text.size() >= kBlock) {
        sink(text);
        text.clear();
      }
    }
    sink(text);
  });
}

}  // namespace alembert::io
