#include "report/page/encode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "alembert/core/not_a_number.hpp"
#include "alembert/core/text.hpp"

namespace alembert::report {
namespace {

using Values = Eigen::Ref<const Eigen::VectorXd>;

constexpr double kGridTolerance = 1e-6;     // of a step
constexpr double kDisplayTolerance = 1e-6;  // a pixel is about 1e-3 of the range

template <typename Word>
void append_word(Word word, std::vector<unsigned char>& bytes) {
  for (std::size_t i = 0; i < sizeof word; ++i) {
    bytes.push_back(static_cast<unsigned char>((word >> (8 * i)) & 0xFFU));
  }
}

// Seven bits to a byte, lowest first; the high bit says that more follow.
void append_number(std::uint64_t value, std::vector<unsigned char>& bytes) {
  for (; value >= 128; value >>= 7) {
    bytes.push_back(static_cast<unsigned char>(128 | (value & 127)));
  }
  bytes.push_back(static_cast<unsigned char>(value));
}

std::string quoted(const std::string& key, const std::string& text) {
  return fmt::format(R"("{}":"{}")", key, text);
}

std::string grid(double start, double step) {
  return fmt::format(R"("start":{},"step":{})", shortest(start), shortest(step));
}

struct Range {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();

  [[nodiscard]] double width() const { return largest - smallest; }
  [[nodiscard]] double middle() const { return smallest / 2.0 + largest / 2.0; }
};

Range finite_range(const Values& y) {
  Range range;
  for (const double v : y) {
    if (!std::isfinite(v)) continue;
    range.smallest = std::min(range.smallest, v);
    range.largest = std::max(range.largest, v);
  }
  return range;
}

// Whether single precision about an offset shows the same picture.
bool fits_single(const Values& y, double offset, const Range& range) {
  return std::all_of(y.begin(), y.end(), [&](double v) {
    if (!std::isfinite(v)) return true;
    const double error = std::abs(static_cast<double>(static_cast<float>(v - offset)) + offset - v);
    const double size = offset == 0.0 ? std::min(std::abs(v), range.width()) : range.width();
    return error <= kDisplayTolerance * size;
  });
}

std::string single(const Values& y, double offset) {
  std::vector<unsigned char> bytes;
  bytes.reserve(4 * static_cast<std::size_t>(y.size()));
  for (const double v : y) {
    const float value =
        std::isfinite(v) ? static_cast<float>(v - offset) : std::numeric_limits<float>::quiet_NaN();
    append_word(std::bit_cast<std::uint32_t>(value), bytes);
  }
  const std::string shift = offset == 0.0 ? "" : fmt::format(R"(,"offset":{})", shortest(offset));
  return fmt::format("{{{}{}}}", quoted("f32", base64(bytes)), shift);
}

}  // namespace

std::string base64(const std::vector<unsigned char>& bytes) {
  constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    const std::uint32_t word = static_cast<std::uint32_t>(bytes[i] << 16) |
                               (left > 1 ? static_cast<std::uint32_t>(bytes[i + 1] << 8) : 0U) |
                               (left > 2 ? static_cast<std::uint32_t>(bytes[i + 2]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= left ? kLetters[(word >> (18 - 6 * k)) & 63U] : '=';
    }
  }
  return text;
}

std::string base64_doubles(const Values& values) {
  std::vector<unsigned char> bytes;
  bytes.reserve(8 * static_cast<std::size_t>(values.size()));
  for (const double v : values) append_word(std::bit_cast<std::uint64_t>(v), bytes);
  return base64(bytes);
}

double grid_step(const Values& x) {
  if (x.size() < 3) return 0.0;
  double smallest = std::numeric_limits<double>::infinity();
  for (Eigen::Index k = 1; k < x.size(); ++k) smallest = std::min(smallest, x(k) - x(k - 1));
  const double length = x(x.size() - 1) - x(0);
  if (!(smallest > 0.0) || !std::isfinite(length)) return 0.0;
  // The whole length gives the step more exactly than one difference does.
  const double steps = std::round(length / smallest);
  const double step = length / steps;
  constexpr double kMostSteps = 1e15;
  if (steps > kMostSteps) return 0.0;
  for (const double v : x) {
    const double index = std::round((v - x(0)) / step);
    if (!(std::abs(v - (x(0) + index * step)) <= kGridTolerance * step)) return 0.0;
  }
  return step;
}

std::string encode_x(const Values& x, double step) {
  if (!(step > 0.0) || x.size() < 3) return fmt::format("{{{}}}", quoted("f64", base64_doubles(x)));
  std::vector<unsigned char> bytes;
  std::uint64_t before = 0;
  bool every = true;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const auto index = static_cast<std::uint64_t>(std::llround((x(k) - x(0)) / step));
    every = every && index == static_cast<std::uint64_t>(k);
    append_number(index - before, bytes);
    before = index;
  }
  if (every) return fmt::format(R"({{{},"count":{}}})", grid(x(0), step), x.size());
  return fmt::format("{{{},{}}}", grid(x(0), step), quoted("index", base64(bytes)));
}

std::string encode_y(const Values& y) {
  const Range range = finite_range(y);
  if (!(range.smallest <= range.largest) || fits_single(y, 0.0, range)) return single(y, 0.0);
  // An offset serves small changes of a large value; it would spoil small values among large ones.
  const double middle = range.middle();
  const bool narrow = std::abs(middle) > 8.0 * range.width();
  if (narrow && fits_single(y, middle, range)) return single(y, middle);
  const Eigen::VectorXd finite = y.unaryExpr([](double v) { return std::isfinite(v) ? v : kNaN; });
  return fmt::format("{{{}}}", quoted("f64", base64_doubles(finite)));
}

}  // namespace alembert::report
