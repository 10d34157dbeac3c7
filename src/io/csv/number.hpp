#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#include <fast_float/fast_float.h>
#endif

/// The common case of a number in a text table, read with all its digits at once.
///
/// Numbers of a logger are short, and most of the time of a general parser goes into branches on
/// each of their digits, which no processor can predict. Here the ends of the digits are found and
/// up to 19 digits converted in vector registers, with few branches that depend on their number.
/// Anything else (more digits, blanks, words) is left to the general parser, as is everything on
/// processors without SSE2. Both give the same bits: the double nearest to the decimal number.
namespace alembert::io::csv {

/// Bytes that parse_plain may read before and behind its argument.
inline constexpr std::ptrdiff_t kPlainReach = 40;

/// The separator, 16 times.
using Separators = std::array<char, 16>;

#if defined(__SSE2__)

namespace detail {

/// Powers of ten that are exact in double.
inline constexpr std::array<double, 23> kPowers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

inline constexpr unsigned kTop = 1U << 31U;

/// Whole numbers up to this one are exact in double.
inline constexpr std::uint64_t kExact = std::uint64_t{1} << 53U;

/// 16 zero bytes, then set ones: the 16 bytes from place n on, n <= 31, have the last n set.
inline constexpr std::array<std::uint8_t, 48> kRamp = [] {
  std::array<std::uint8_t, 48> ramp{};
  for (std::size_t i = 16; i < ramp.size(); ++i) {
    ramp[i] = 0xFF;
  }
  return ramp;
}();

inline __m128i load(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }

inline __m128i last_bytes(unsigned count) { return load(kRamp.data() + count); }

/// Bit i is set where byte i is a digit.
inline unsigned digit_bits(__m128i bytes) {
  const __m128i value = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
  const __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value);
  return static_cast<unsigned>(_mm_movemask_epi8(digits));
}

/// Bit i is set where byte i cannot belong to a number: a separator, blanks and control bytes.
inline unsigned stop_bits(__m128i bytes, __m128i separators) {
  const __m128i ends =
      _mm_or_si128(_mm_cmpeq_epi8(bytes, separators), _mm_cmpgt_epi8(_mm_set1_epi8('!'), bytes));
  return static_cast<unsigned>(_mm_movemask_epi8(ends));
}

/// Bit i is set where byte i is a minus.
inline unsigned minus_bits(__m128i bytes) {
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('-'))));
}

/// The number with these 16 decimal digits (bytes 0 to 9, the first the most significant).
inline std::uint64_t join_digits(__m128i digits) {
  const __m128i first = _mm_and_si128(digits, _mm_set1_epi16(0x00FF));
  const __m128i second = _mm_srli_epi16(digits, 8);
  const __m128i twos = _mm_add_epi16(_mm_mullo_epi16(first, _mm_set1_epi16(10)), second);
  const __m128i fours = _mm_madd_epi16(twos, _mm_set1_epi32(100 + (1 << 16)));
  const __m128i packed = _mm_packs_epi32(fours, fours);
  const __m128i eights = _mm_madd_epi16(packed, _mm_set1_epi32(10000 + (1 << 16)));
  const auto both = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
  return (both & 0xFFFFFFFFU) * 100'000'000U + (both >> 32U);
}

/// The digits in the 16 letters before `end`, of which the last `decimals` stand behind the mark:
/// those before it come from one letter further left, which closes the gap of the mark. Only the
/// last `count` digits are kept.
inline std::uint64_t digits_before(const char* end, unsigned decimals, unsigned count) {
  const __m128i behind_mark = last_bytes(decimals);
  const __m128i letters = _mm_or_si128(_mm_and_si128(behind_mark, load(end - 16)),
                                       _mm_andnot_si128(behind_mark, load(end - 17)));
  return join_digits(_mm_and_si128(_mm_sub_epi8(letters, _mm_set1_epi8('0')), last_bytes(count)));
}

inline bool is_digit(char letter) { return static_cast<unsigned char>(letter - '0') < 10; }

/// Reads [+-]digits, at most three of them, and adds them to power; false for anything else.
inline bool take_exponent(const char*& p, int& power) {
  // Both signs are common: '+' is 0x2B and '-' 0x2D, told apart by arithmetic, not by a branch.
  const int letter = static_cast<unsigned char>(*p);
  const int is_sign = ((letter - '+') & ~2) == 0 ? 1 : 0;
  const int down = is_sign & (letter >> 2);
  p += is_sign;
  int exponent = 0;
  int count = 0;
  for (; count < 4 && is_digit(*p); ++count) {
    exponent = 10 * exponent + (*p++ - '0');
  }
  power += (exponent ^ -down) + down;
  return count > 0 && count < 4;
}

/// w 10^q, rounded to the nearest double, by the product of w with a 128-bit power of ten
/// [Lemire2021], a part of the fast_float library; negative where 128 bits do not decide.
inline double scaled_wide(std::uint64_t w, int q) {
  const fast_float::adjusted_mantissa parts =
      fast_float::compute_float<fast_float::binary_format<double>>(q, w);
  constexpr int kInfinite = 0x7FF;
  if (parts.power2 < 0 || parts.power2 == kInfinite) {
    return -1.0;
  }
  return std::bit_cast<double>(parts.mantissa | static_cast<std::uint64_t>(parts.power2) << 52U);
}

/// The same; w <= 2^53 and 10^|q|, |q| <= 22, are exact in double and leave a single rounding.
inline double scaled(std::uint64_t w, int q) {
  if (w > kExact || q < -22 || q > 22) {
    return scaled_wide(w, q);
  }
  const auto exact = static_cast<double>(static_cast<std::int64_t>(w));
  return q < 0 ? exact / kPowers[static_cast<unsigned>(-q)]
               : exact * kPowers[static_cast<unsigned>(q)];
}

inline double with_sign(double magnitude, unsigned negative) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) |
                               (static_cast<std::uint64_t>(negative) << 63U));
}

/// A number of up to 19 digits, with or without exponent.
/// @param end behind the digits  @param count of the digits  @param decimals those behind the mark
/// @param behind the same, or all digits if there is no mark
inline const char* parse_counted(const char* end, unsigned negative, unsigned count,
                                 unsigned decimals, unsigned behind, double& value) {
  if (count - 1 > 18) {
    return nullptr;
  }
  std::uint64_t w = digits_before(end, behind, std::min(count, 16U));
  if (count > 16) {
    const unsigned rest = behind > 16 ? behind - 16 : 0;
    w += 10'000'000'000'000'000U * digits_before(end - 16, rest, count - 16);
  }
  int q = -static_cast<int>(decimals);
  if ((*end | 0x20) == 'e' && !take_exponent(++end, q)) {
    return nullptr;
  }
  const double magnitude = scaled(w, q);
  if (magnitude < 0.0) [[unlikely]] {
    return nullptr;
  }
  value = with_sign(magnitude, negative);
  return end;
}

/// The rest of parse_plain for long numbers and those with an exponent.
/// @param others bits of the letters before `end` that are neither digits nor the sign
[[gnu::noinline]] inline const char* parse_rest(const char* from, const char* end, char mark,
                                                unsigned negative, unsigned others, double& value) {
  const auto length = static_cast<unsigned>(end - from);
  const unsigned first = others != 0 ? static_cast<unsigned>(std::countr_zero(others)) : length;
  const unsigned whole = first - negative;
  if (from[first] != mark) {
    return parse_counted(from + first, negative, whole, 0, whole, value);
  }
  others &= others - 1;
  const unsigned second = others != 0 ? static_cast<unsigned>(std::countr_zero(others)) : length;
  const unsigned decimals = second - first - 1;
  return parse_counted(from + second, negative, whole + decimals, decimals, decimals, value);
}

}  // namespace detail

/// Reads [-]digits[mark digits][e[+-]digits] at `from`, rounds it to the nearest double and returns
/// its end, or nullptr where the general parser must be asked. kPlainReach bytes before and behind
/// `from` must be readable.
///
/// Where the next number starts is known from the separator alone, so that the processor can begin
/// with it while it still works on this one.
[[gnu::always_inline]] inline const char* parse_plain(const char* from, char mark,
                                                      const Separators& separators, double& value) {
  const __m128i letters = detail::load(from);
  const __m128i separator = detail::load(separators.data());
  unsigned stops = detail::stop_bits(letters, separator);
  unsigned others = detail::digit_bits(letters) ^ 0xFFFFU;
  // The sign of a vibration is a coin toss. Taken from the vector, it cannot become a branch.
  const unsigned negative = detail::minus_bits(letters) & 1U;
  if (stops == 0) {
    const __m128i more = detail::load(from + 16);
    stops = detail::stop_bits(more, separator) << 16U | detail::kTop;
    others |= (detail::digit_bits(more) ^ 0xFFFFU) << 16U;
  }
  const auto length = static_cast<unsigned>(std::countr_zero(stops));
  const char* end = from + length;
  // What is left of the number without digits and sign: the mark, or nothing.
  others = (others ^ negative) & (stops - 1) & ~stops;
  unsigned count = length - negative;
  unsigned decimals = 0;
  unsigned behind = count;
  if (others != 0) [[likely]] {
    const auto place = static_cast<unsigned>(std::countr_zero(others));
    if (from[place] != mark || (others & (others - 1)) != 0) {
      return detail::parse_rest(from, end, mark, negative, others, value);
    }
    decimals = length - place - 1;
    behind = decimals;
    --count;
  }
  if (count - 1 > 14) {
    return detail::parse_rest(from, end, mark, negative, others, value);
  }
  // w / 10^decimals: below 10^15 both are exact in double, so that only the division rounds.
  const std::uint64_t w = detail::digits_before(end, behind, count);
  const auto exact = static_cast<double>(static_cast<std::int64_t>(w));
  value = detail::with_sign(exact / detail::kPowers[decimals], negative);
  return end;
}

#else

inline const char* parse_plain(const char*, char, const Separators&, double&) { return nullptr; }

#endif

}  // namespace alembert::io::csv
