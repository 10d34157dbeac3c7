#pragma once

#include <optional>
#include <string>
#include <vector>

namespace alembert::document {

/// One statement that a reproduction checks: a measured number against a rule.
struct Claim {
  std::string name;                      ///< what is measured, "order of Newmark, displacement"
  double measured = 0.0;                 ///< computed in this run
  std::string unit;                      ///< "" for a pure number
  std::optional<double> published = {};  ///< the source's number, where there is one
  std::string target;                    ///< the rule, see meets()
  bool ok = false;                       ///< measured meets target
};

/// Whether a value keeps a rule. Rules: `<= 1.2`, `< 1.2`, `>= 3`, `> 3`, `== 0`,
/// `3.9 .. 4.1` (closed interval), `2 +- 0.05` (distance from 2 at most 0.05). NaN keeps none.
/// @throws InvalidInput if the rule cannot be read.
[[nodiscard]] bool meets(double value, const std::string& target);

/// A claim with `ok` set by its own rule. @throws InvalidInput as meets().
[[nodiscard]] Claim make_claim(std::string name, double measured, std::string unit,
                               std::string target, std::optional<double> published = {});

/// True if every claim is ok.
[[nodiscard]] bool all_ok(const std::vector<Claim>& claims);

}  // namespace alembert::document
