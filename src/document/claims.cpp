#include "alembert/document/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"

namespace alembert::document {
namespace {

[[noreturn]] void fail(const std::string& target) {
  throw InvalidInput({.function = "meets",
                      .argument = "target",
                      .rule = "must be a rule like \"<= 1.2\", \"3.9 .. 4.1\" or \"2 +- 0.05\"",
                      .value = fmt::format("\"{}\"", target)});
}

double number_in(std::string_view text, const std::string& target) {
  const std::string_view word = trimmed(text);
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) {
    fail(target);
  }
  return value;
}

void need_source(const Claim& claim) {
  if (!trimmed(claim.source).empty()) return;
  throw InvalidInput({.function = "claim",
                      .argument = "source",
                      .rule = "must say where the number to compare with comes from",
                      .value = fmt::format("none for \"{}\"", claim.name)});
}

}  // namespace

bool meets(double value, const std::string& target) {
  const std::string_view rule = trimmed(target);
  if (const auto dots = rule.find(".."); dots != std::string_view::npos) {
    const double lower = number_in(rule.substr(0, dots), target);
    const double upper = number_in(rule.substr(dots + 2), target);
    return lower <= value && value <= upper;
  }
  if (const auto sign = rule.find("+-"); sign != std::string_view::npos) {
    const double middle = number_in(rule.substr(0, sign), target);
    return std::abs(value - middle) <= number_in(rule.substr(sign + 2), target);
  }
  const auto starts = [&](std::string_view word) { return rule.substr(0, word.size()) == word; };
  if (starts("<=")) {
    return value <= number_in(rule.substr(2), target);
  }
  if (starts(">=")) {
    return value >= number_in(rule.substr(2), target);
  }
  if (starts("==")) {
    return value == number_in(rule.substr(2), target);
  }
  if (starts("<")) {
    return value < number_in(rule.substr(1), target);
  }
  if (starts(">")) {
    return value > number_in(rule.substr(1), target);
  }
  fail(target);
}

std::string to_string(ClaimState state) {
  switch (state) {
    case ClaimState::Reproduced:
      return "reproduced";
    case ClaimState::Differs:
      return "differs";
    case ClaimState::Beyond:
      break;
  }
  return "beyond the source";
}

std::string within(double value, double part) {
  return fmt::format("{:.4g} +- {:.3g}", value, part * std::abs(value));
}

Claim compared(Claim claim) {
  need_source(claim);
  const bool kept = meets(claim.measured, claim.target);
  claim.state = kept ? ClaimState::Reproduced : ClaimState::Differs;
  claim.ok = std::isfinite(claim.measured);
  if (kept) {
    claim.reason.clear();
  } else if (claim.reason.empty()) {
    claim.reason = "no reason is known";
  }
  return claim;
}

Claim promised(Claim claim) {
  need_source(claim);
  claim.state = ClaimState::Beyond;
  claim.ok = meets(claim.measured, claim.target);
  return claim;
}

bool all_ok(const std::vector<Claim>& claims) {
  return std::all_of(claims.begin(), claims.end(), [](const Claim& claim) { return claim.ok; });
}

int count_state(const std::vector<Claim>& claims, ClaimState state) {
  return static_cast<int>(std::count_if(claims.begin(), claims.end(),
                                        [&](const Claim& claim) { return claim.state == state; }));
}

}  // namespace alembert::document
