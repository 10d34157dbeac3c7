#include "alembert/core/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

namespace alembert {

namespace {

// Longer words are no slips of the pen, and comparing two of them takes the product of their
// lengths.
constexpr std::size_t kLongestMeant = 200;

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return result;
}

bool is_blank(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n';
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // d(i, j) = min(d(i-1, j) + 1, d(i, j-1) + 1, d(i-1, j-1) + [a_i != b_j],
  //               d(i-2, j-2) + 1 where the last two letters are swapped)
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    above[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > kLongestMeant) return "";
  const std::string wanted = lower_case(word);
  std::size_t best_distance = 2 + word.size() / 4;
  std::string best;
  for (const std::string& candidate : candidates) {
    // The distance is at least the difference of the lengths.
    if (candidate.size() >= word.size() + best_distance ||
        word.size() >= candidate.size() + best_distance) {
      continue;
    }
    const std::size_t distance = edit_distance(wanted, lower_case(candidate));
    if (distance < best_distance && distance < candidate.size()) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kShortList = 12;
  const std::string best = nearest(word, candidates);
  if (!best.empty()) {
    return fmt::format("; did you mean \"{}\"?", best);
  }
  if (candidates.empty() || candidates.size() > kShortList) {
    return "";
  }
  return "; known: " + join(candidates, ", ");
}

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    result.append(i == 0 ? "" : separator).append(words[i]);
  }
  return result;
}

std::string shortest(double value) { return fmt::format("{}", value); }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_blank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace alembert
