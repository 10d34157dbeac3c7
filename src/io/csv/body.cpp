#include "io/csv/body.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "alembert/core/parallel.hpp"
#include "io/csv/cell.hpp"
#include "io/csv/row.hpp"

namespace alembert::io::csv {
namespace {

// Small enough to stay in the cache of a core between reading and parsing.
constexpr std::size_t kChunkBytes = std::size_t{512} * 1024;

}  // namespace

Body::Body(const Source& source, const Layout& layout, int threads)
    : source_(source), layout_(layout), threads_(threads) {
  const std::size_t bytes = source.size() - layout.body_offset;
  chunks_.resize((bytes + kChunkBytes - 1) / kChunkBytes);
  parallel_for(chunks_.size(), [this](std::size_t chunk) { count(chunk); }, {.threads = threads_});
  std::size_t line = layout.body_line;
  std::size_t row = 0;
  for (Chunk& chunk : chunks_) {
    chunk.first_line = line;
    chunk.first_row = row;
    line += chunk.lines;
    row += chunk.rows;
  }
  rows_ = static_cast<Eigen::Index>(row);
}

Lines Body::load(std::size_t chunk) const {
  const std::size_t begin = layout_.body_offset + chunk * kChunkBytes;
  return source_.lines(begin, begin + kChunkBytes, layout_.dialect.terminator);
}

void Body::count(std::size_t chunk) {
  const Lines lines = load(chunk);
  std::string_view rest = lines.text;
  Chunk result;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest, layout_.dialect.terminator);
    result.rows += layout_.dialect.kind(line) == LineKind::Data ? 1 : 0;
    ++result.lines;
  }
  chunks_[chunk] = result;
}

void Body::parse(const std::vector<double*>& targets,
                 const std::vector<bool>& missing_allowed) const {
  const RowParser parser(source_.name(), layout_, targets, missing_allowed);
  const auto run = [&](std::size_t index) {
    const Chunk& chunk = chunks_[index];
    const Lines lines = load(index);
    std::string_view rest = lines.text;
    std::size_t line = chunk.first_line;
    std::size_t row = chunk.first_row;
    for (; !rest.empty(); ++line) {
      const std::string_view text = take_line(rest, layout_.dialect.terminator);
      if (layout_.dialect.kind(text) == LineKind::Data) {
        if (row == chunk.first_row + chunk.rows) {
          throw DataError(Place{.file = source_.name(), .line = line},
                          "the file changed while it was read");
        }
        parser.parse(text, line, row, lines.readable);
        ++row;
      }
    }
    if (row != chunk.first_row + chunk.rows) {
      throw DataError(Place{.file = source_.name(), .line = line},
                      "the file changed while it was read");
    }
  };
  parallel_for(chunks_.size(), run, {.threads = threads_});
}

Place Body::place(Eigen::Index row, std::size_t column) const {
  const auto wanted = static_cast<std::size_t>(row);
  const auto after = std::upper_bound(
      chunks_.begin(), chunks_.end(), wanted,
      [](std::size_t value, const Chunk& chunk) { return value < chunk.first_row; });
  const auto index = static_cast<std::size_t>(after - chunks_.begin()) - 1;
  const Lines lines = load(index);
  std::string_view rest = lines.text;
  std::size_t left = wanted - chunks_[index].first_row;
  for (std::size_t line = chunks_[index].first_line; !rest.empty(); ++line) {
    const std::string_view text = take_line(rest, layout_.dialect.terminator);
    if (layout_.dialect.kind(text) == LineKind::Data && left-- == 0) {
      const std::vector<Cell> cells = split_line(text, layout_.dialect.separator);
      const std::size_t at =
          column < cells.size() ? static_cast<std::size_t>(cells[column].begin - text.data()) : 0;
      return {.file = source_.name(), .line = line, .column = at + 1};
    }
  }
  return {.file = source_.name()};
}

}  // namespace alembert::io::csv
