#pragma once

#include <string>
#include <vector>

#include "alembert/identify/verdict.hpp"

/// What a report says of residuals.
namespace alembert::report {

/// A sentence on whether the residuals are white, and what follows if they are not.
std::string whiteness_words(const std::vector<identify::ResidualVerdict>& outputs,
                            const std::string& if_coloured);

}  // namespace alembert::report
