#pragma once

#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/status.hpp"

/// How far a result can be trusted: one verdict for every task, from evidence that the task
/// supplies.
namespace alembert {

enum class TrustLevel {
  Good,     ///< nothing speaks against the result
  Caution,  ///< usable, but the numbers or their deviations may be off; the reasons say how
  Bad       ///< not to be used
};
constexpr auto enum_names(TrustLevel) {
  return std::to_array<EnumName<TrustLevel>>(
      {{TrustLevel::Good, "good"}, {TrustLevel::Caution, "caution"}, {TrustLevel::Bad, "bad"}});
}

/// The verdict on a result. Results, terminal, report and exit code all show this one.
struct Verdict {
  TrustLevel level = TrustLevel::Good;
  std::vector<std::string> reasons;  ///< in words, the worst first; empty if good
  std::vector<std::string> advice;   ///< what to do, in the order of the reasons, each once
};

/// What speaks against a result, collected while it is looked at.
class Evidence {
 public:
  /// One thing that was seen: `reason` says what, `advice` what to do about it ("" for nothing).
  void add(TrustLevel level, std::string reason, std::string advice = {});

  /// A method that did not end well makes its result bad, with its own message.
  void add(const Outcome& outcome);

  /// The worst level seen, with all reasons.
  [[nodiscard]] Verdict verdict() const;

 private:
  struct Item {
    TrustLevel level;
    std::string reason, advice;
  };
  std::vector<Item> items_;
};

/// The verdict on a result that has no evidence but how it ended and its warnings: each is a reason
/// for caution.
[[nodiscard]] Verdict verdict_on(const Outcome& outcome, const std::vector<std::string>& warnings);

/// The level of a figure that is the worse the larger it is: Caution from `caution` on, Bad from
/// `bad` on. A NaN is Good: what is not known is judged elsewhere.
[[nodiscard]] TrustLevel level_above(double value, double caution, double bad);

}  // namespace alembert
