#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reproductions/reproduce.hpp"

namespace alembert::reproductions {

/// A reproduction known by name.
struct ReproductionEntry {
  std::string name;
  std::string help;  ///< one line
  std::function<Reproduction(const ReproduceOptions&)> run;
};

/// All reproductions, in the order of the help page.
[[nodiscard]] const std::vector<ReproductionEntry>& reproductions();

/// The one of this name.
/// @throws InvalidInput for an unknown name, with the nearest known one.
[[nodiscard]] const ReproductionEntry& find_reproduction(const std::string& name);

/// Runs one by name.
/// @throws InvalidInput for an unknown name, with the nearest known one.
Reproduction reproduce(const std::string& name, const ReproduceOptions& options = {});

}  // namespace alembert::reproductions
