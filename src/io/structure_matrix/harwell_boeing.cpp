#include <fmt/core.h>

#include <algorithm>

#include "alembert/core/text.hpp"
#include "io/mesh/mesh_numbers.hpp"
#include "io/structure_matrix/entries.hpp"

namespace alembert::io {
namespace {

/// What lines 3 and 4 of the file say.
struct BoeingHeader {
  bool symmetric = false;
  long long rows = 0, entries = 0;
  FortranFields pointers, indices, values;
};

class BoeingReader {
 public:
  BoeingReader(std::string_view content, const std::string& file) : lines_(content, file) {}

  StructureMatrix read() {
    const std::string_view title = line("the title");
    StructureMatrix found{.name = std::string(title.size() > 72 ? trimmed(title.substr(72)) : ""),
                          .values = {}};
    read_header();
    const std::vector<long long> starts = whole_fields(header_.pointers, header_.rows + 1);
    const std::vector<long long> rows = whole_fields(header_.indices, header_.entries);
    MatrixEntries entries;
    check_starts(starts);
    Fields values(*this, header_.values, header_.entries);
    for (long long column = 0; column < header_.rows; ++column) {
      const auto from = static_cast<std::size_t>(starts[static_cast<std::size_t>(column)] - 1);
      const auto to = static_cast<std::size_t>(starts[static_cast<std::size_t>(column) + 1] - 1);
      for (std::size_t i = from; i < to; ++i) {
        if (rows[i] < 1 || rows[i] > header_.rows) {
          lines_.fail(fmt::format("rows count from 1 to {}, got {}", header_.rows, rows[i]));
        }
        entries.add(rows[i] - 1, column, fortran_number(values.next(), lines_));
      }
    }
    found.values = entries.matrix(header_.rows,
                                  header_.symmetric ? Halves::Mirrored : Halves::AsStored, lines_);
    return found;
  }

 private:
  /// Numbers of a Fortran format, one after the other over lines. Where a line has as many words as
  /// it must have numbers, these are they: some programs write other widths than they announce.
  class Fields {
   public:
    Fields(BoeingReader& reader, FortranFields form, long long count)
        : reader_(reader), form_(form), left_(count) {}

    std::string_view next() {
      if (used_ == fields_.size()) read_line();
      --left_;
      return fields_[used_++];
    }

   private:
    void read_line() {
      std::string_view rest = reader_.line("the last number");
      const auto here =
          static_cast<std::size_t>(std::min(left_, static_cast<long long>(form_.count)));
      used_ = 0;
      fields_ = split_words(rest);
      if (fields_.size() == here) return;
      fields_.clear();
      while (fields_.size() < form_.count && !trimmed(rest).empty()) {
        fields_.push_back(trimmed(rest.substr(0, form_.width)));
        rest.remove_prefix(std::min(form_.width, rest.size()));
      }
      if (fields_.empty()) reader_.lines_.fail("is empty, where numbers must be");
    }

    BoeingReader& reader_;
    FortranFields form_;
    long long left_;
    std::vector<std::string_view> fields_;
    std::size_t used_ = 0;
  };

  std::string_view line(const char* what) {
    const auto next = lines_.next();
    if (!next) lines_.fail(fmt::format("the file ends before {}", what));
    return *next;
  }

  void read_header() {
    const std::vector<std::string_view> cards =
        split_words(line("the line with the counts of lines"));
    const bool right_sides = cards.size() > 4 && whole_number(cards[4], lines_) > 0;
    const std::vector<std::string_view> sizes = split_words(line("the line with the sizes"));
    if (sizes.size() < 4 || sizes[0].size() != 3) {
      lines_.fail("must have a type of three letters, rows, columns and entries");
    }
    read_type(sizes[0]);
    header_.rows = whole_number(sizes[1], lines_);
    header_.entries = whole_number(sizes[3], lines_);
    if (header_.rows != whole_number(sizes[2], lines_)) {
      lines_.fail(fmt::format("must be square, got {} x {}", sizes[1], sizes[2]));
    }
    const auto room = static_cast<long long>(lines_.bytes_left());
    if (header_.rows < 1 || header_.entries < 0 || header_.rows > room || header_.entries > room) {
      lines_.fail("announces more numbers than the file has, or none");
    }
    const std::string_view formats = line("the formats");
    const auto part = [&](std::size_t from, std::size_t width) {
      return from < formats.size() ? formats.substr(from, width) : std::string_view{};
    };
    header_.pointers = fortran_fields(part(0, 16), lines_);
    header_.indices = fortran_fields(part(16, 16), lines_);
    header_.values = fortran_fields(part(32, 20), lines_);
    if (right_sides) (void)line("the matrix");
  }

  void read_type(std::string_view type) {
    const auto is = [&](std::size_t i, char upper) {
      return type[i] == upper || type[i] == static_cast<char>(upper - 'A' + 'a');
    };
    if (!is(0, 'R')) {
      lines_.fail(
          fmt::format("is of type {}: real matrices are read (RSA, RUA), no complex ones "
                      "and no patterns without values",
                      type));
    }
    if (!is(2, 'A')) {
      lines_.fail(fmt::format("is of type {}: assembled matrices are read (RSA, RUA)", type));
    }
    if (!is(1, 'S') && !is(1, 'U')) {
      lines_.fail(
          fmt::format("is of type {}: symmetric and square matrices are read (RSA, RUA)", type));
    }
    header_.symmetric = is(1, 'S');
  }

  std::vector<long long> whole_fields(FortranFields form, long long count) {
    Fields fields(*this, form, count);
    std::vector<long long> numbers;
    for (long long i = 0; i < count; ++i) numbers.push_back(whole_number(fields.next(), lines_));
    return numbers;
  }

  void check_starts(const std::vector<long long>& starts) const {
    const bool rising = std::is_sorted(starts.begin(), starts.end());
    if (!rising || starts.front() != 1 || starts.back() != header_.entries + 1) {
      lines_.fail(fmt::format("starts of columns must rise from 1 to {}, the entries and one",
                              header_.entries + 1));
    }
  }

  TextLines lines_;
  BoeingHeader header_;
};

}  // namespace

StructureMatrix parse_harwell_boeing(std::string_view content, const std::string& file) {
  return BoeingReader(content, file).read();
}

}  // namespace alembert::io
