#pragma once

#include <string>
#include <vector>

#include "alembert/study/study.hpp"

namespace alembert::test {

/// Sets keys of a study, as --set does.
inline study::LoadOptions changed(const std::vector<std::string>& changes) {
  study::LoadOptions options;
  for (const std::string& change : changes) {
    options.overrides.push_back(study::parse_override(change));
  }
  return options;
}

}  // namespace alembert::test
