#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/io/wav.hpp"
#include "io/file/file_content.hpp"
#include "io/file/memory_limit.hpp"
#include "io/record/record_parts.hpp"

namespace alembert::io {
namespace wav {
namespace {

constexpr std::size_t kHead = 12;
constexpr std::uint32_t kUnknownSize = 0xFFFFFFFFU;
constexpr unsigned kWhole = 1;
constexpr unsigned kFloat = 3;
constexpr unsigned kExtensible = 0xFFFE;

struct Format {
  unsigned kind = 0;  // kWhole or kFloat
  unsigned channels = 0;
  unsigned bits = 0;  // of the container of one number
  std::uint32_t rate = 0;
};

// Whole numbers, the lowest byte first.
std::uint64_t whole(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) {
    value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

[[noreturn]] void fail(const Place& place, std::size_t byte, const std::string& reason) {
  throw DataError({.file = place.file, .byte = static_cast<long long>(byte)}, reason);
}

Format read_format(std::string_view chunk, std::size_t at, const Place& place) {
  if (chunk.size() < 16) fail(place, at, "the chunk 'fmt ' is too short (broken file?)");
  Format format{.kind = static_cast<unsigned>(whole(chunk, 0, 2)),
                .channels = static_cast<unsigned>(whole(chunk, 2, 2)),
                .bits = static_cast<unsigned>(whole(chunk, 14, 2)),
                .rate = static_cast<std::uint32_t>(whole(chunk, 4, 4))};
  if (format.kind == kExtensible && chunk.size() >= 26) {
    format.kind = static_cast<unsigned>(whole(chunk, 24, 2));
  }
  const auto block = static_cast<unsigned>(whole(chunk, 12, 2));
  const bool known = format.kind == kFloat ? format.bits == 32 || format.bits == 64
                                           : format.kind == kWhole && format.bits % 8 == 0 &&
                                                 format.bits >= 8 && format.bits <= 32;
  if (!known) {
    fail(place, at,
         fmt::format("sound of kind {} with {} bits cannot be read; save uncompressed "
                     "samples of 8 to 32 bits, or floats",
                     format.kind, format.bits));
  }
  if (format.channels == 0 || format.rate == 0 || block != format.channels * format.bits / 8) {
    fail(place, at,
         fmt::format("{} channels at {} Hz in blocks of {} bytes cannot be", format.channels,
                     format.rate, block));
  }
  // The rate stands twice, as samples and as bytes a second; recorders that do not know it write 0.
  const std::uint64_t speed = whole(chunk, 8, 4);
  if (speed != 0 && speed != std::uint64_t{format.rate} * block) {
    fail(place, at,
         fmt::format("{} Hz in blocks of {} bytes are not {} bytes a second (broken file?)",
                     format.rate, block, speed));
  }
  return format;
}

double number(std::string_view bytes, std::size_t at, const Format& format) {
  const std::size_t size = format.bits / 8;
  const std::uint64_t raw = whole(bytes, at, size);
  if (format.kind == kFloat) {
    return format.bits == 32
               ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(raw)))
               : std::bit_cast<double>(raw);
  }
  if (format.bits == 8) {
    return (static_cast<double>(raw) - 128.0) / 128.0;  // without sign, by the rules of the format
  }
  const double full = std::ldexp(1.0, static_cast<int>(format.bits) - 1);
  const auto value = static_cast<double>(raw);
  return (value >= full ? value - 2.0 * full : value) / full;
}

// Whole numbers of 32 bits that are floats of ordinary size, all of them and of both signs: as
// whole numbers they would jump between 0.4 to 0.5 and -0.6 to -0.5 of the range.
bool are_floats(std::string_view samples) {
  bool above = false;
  bool below = false;
  for (std::size_t at = 0; at + 4 <= samples.size(); at += 4) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(whole(samples, at, 4)));
    const float size = std::abs(value);
    if (size != 0.0F && !(size >= 1e-9F && size <= 8.0F)) return false;
    above = above || value > 0.0F;
    below = below || value < 0.0F;
  }
  return above && below;
}

struct Sound {
  std::optional<Format> format;
  std::string_view samples;
};

bool is_chunk_name(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

// Behind the samples there are further chunks or nothing: a size that leaves samples over is wrong.
void require_chunks_from(std::size_t at, std::string_view content, const Place& place) {
  while (at < content.size()) {
    const std::size_t rest = content.size() - at;
    const bool chunk =
        rest >= 8 && is_chunk_name(content.substr(at, 4)) && whole(content, at + 4, 4) <= rest - 8;
    if (!chunk) fail(place, at, "bytes behind the samples belong to no chunk (broken file?)");
    const std::uint64_t size = whole(content, at + 4, 4);
    at += 8 + static_cast<std::size_t>(size + size % 2);
  }
}

// The chunks: a name of four letters, a size, the bytes, and one more where the size is odd.
Sound find_chunks(std::string_view content, const Place& place) {
  Sound sound;
  std::uint64_t size64 = 0;
  std::size_t at = kHead;
  while (content.size() - at >= 8) {
    const std::string_view name = content.substr(at, 4);
    std::uint64_t size = whole(content, at + 4, 4);
    const std::size_t begin = at + 8;
    const std::size_t rest = content.size() - begin;
    if (name == "data") {
      size = size == kUnknownSize && size64 > 0 ? size64 : size;
      // A recorder that was cut off leaves 0 or the largest number: then all that follows counts.
      const bool open = size == 0 || size == kUnknownSize;
      if (!open && size > rest) {
        fail(place, at,
             fmt::format("says {} bytes of samples, there are {} (cut off?)", size, rest));
      }
      sound.samples = content.substr(begin, open ? rest : static_cast<std::size_t>(size));
      if (!open) {
        require_chunks_from(begin + static_cast<std::size_t>(size + size % 2), content, place);
      }
      return sound;
    }
    if (size > rest) fail(place, at, "a chunk is longer than the file (broken file?)");
    const std::string_view chunk = content.substr(begin, static_cast<std::size_t>(size));
    if (name == "fmt ") sound.format = read_format(chunk, begin, place);
    if (name == "ds64" && chunk.size() >= 16) size64 = whole(chunk, 8, 8);
    at = begin + std::min(rest, static_cast<std::size_t>(size + size % 2));
  }
  fail(place, at, "has no chunk 'data' (broken file?)");
}

}  // namespace
}  // namespace wav

signal::Record parse_wav(std::string_view content, const std::string& name,
                         const ReadOptions& options) {
  RecordParts parts{.place = {.file = name}};
  const bool riff = content.substr(0, 4) == "RIFF" || content.substr(0, 4) == "RF64";
  if (content.size() < wav::kHead || !riff || content.substr(8, 4) != "WAVE") {
    throw DataError(parts.place, "is no sound file: it does not begin with RIFF ... WAVE");
  }
  const wav::Sound sound = wav::find_chunks(content, parts.place);
  if (!sound.format) {
    throw DataError(parts.place, "has samples before the chunk 'fmt ' that explains them");
  }
  const wav::Format& format = *sound.format;
  if (format.kind == wav::kWhole && format.bits == 32 && wav::are_floats(sound.samples)) {
    throw DataError(parts.place, "says whole numbers of 32 bits, but holds floats (broken file?)");
  }
  const std::size_t size = format.bits / 8;
  const std::size_t block = size * format.channels;
  const auto samples = static_cast<Eigen::Index>(sound.samples.size() / block);
  require_room(name, "a sound", static_cast<std::uintmax_t>(samples), format.channels,
               sizeof(double), options.limits);
  parts.samples.resize(samples, static_cast<Eigen::Index>(format.channels));
  for (Eigen::Index k = 0; k < samples; ++k) {
    for (Eigen::Index c = 0; c < parts.samples.cols(); ++c) {
      const std::size_t at =
          static_cast<std::size_t>(k) * block + static_cast<std::size_t>(c) * size;
      parts.samples(k, c) = wav::number(sound.samples, at, format);
    }
  }
  for (unsigned c = 1; c <= format.channels; ++c) {
    parts.channels.push_back({fmt::format("c{}", c)});
  }
  parts.axis = signal::TimeAxis::uniform(samples, 1.0 / static_cast<double>(format.rate));
  return finished_record(std::move(parts), options);
}

signal::Record read_wav(const std::filesystem::path& file, const ReadOptions& options) {
  return read_within_memory(
      file, [&] { return parse_wav(read_content(file, options.limits), file.string(), options); });
}

}  // namespace alembert::io
