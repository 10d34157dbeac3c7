#pragma once

#include <optional>
#include <string>
#include <vector>

namespace alembert::document {

/// How a measured number stands to the source that it is held against.
enum class ClaimState {
  Reproduced,  ///< it agrees with what the source gives
  Differs,     ///< it does not, and the claim says why; no failure
  Beyond       ///< the source has no such number, or ours shall be better: a promise of ours
};

/// "reproduced", "differs" or "beyond the source".
[[nodiscard]] std::string to_string(ClaimState state);

/// One statement that a reproduction checks: a measured number against a rule.
struct Claim {
  std::string name = {};                 ///< what is measured, "order of Newmark, displacement"
  double measured = 0.0;                 ///< computed in this run
  std::string unit = {};                 ///< "" for a pure number
  std::optional<double> published = {};  ///< the number that a publication prints
  std::optional<double> reference = {};  ///< the number of a reference computation
  std::string target = {};               ///< the rule, see meets()
  std::string source =
      {};  ///< "Brunot2017, table 1", "reference computation: ...", "own promise: ..."
  std::string reason = {};  ///< why it differs from the source
  ClaimState state = ClaimState::Beyond;
  bool ok = false;  ///< false for a promise that is not kept, and for a number that is none
};

/// Whether a value keeps a rule. Rules: `<= 1.2`, `< 1.2`, `>= 3`, `> 3`, `== 0`,
/// `3.9 .. 4.1` (closed interval), `2 +- 0.05` (distance from 2 at most 0.05). NaN keeps none.
/// @throws InvalidInput if the rule cannot be read.
[[nodiscard]] bool meets(double value, const std::string& target);

/// The rule "value +- part·|value|".
[[nodiscard]] std::string within(double value, double part);

/// A claim that compares with a source: reproduced if it keeps its rule, else it differs, with the
/// reason given or with the words that none is known. Only a number that is not finite is not ok.
/// @throws InvalidInput as meets(), and without a source.
[[nodiscard]] Claim compared(Claim claim);

/// A promise of ours, beyond the source: ok if it keeps its rule.
/// @throws InvalidInput as compared().
[[nodiscard]] Claim promised(Claim claim);

/// True if every claim is ok.
[[nodiscard]] bool all_ok(const std::vector<Claim>& claims);

/// How many claims are in a state.
[[nodiscard]] int count_state(const std::vector<Claim>& claims, ClaimState state);

}  // namespace alembert::document
