#pragma once

#include <vector>

#include "alembert/core/text.hpp"
#include "alembert/study/detail/keys.hpp"
#include "alembert/study/detail/problem.hpp"
#include "alembert/study/detail/value.hpp"

namespace alembert::study {

/// Checks every key of the document against its description: known, right form, in range, rules
/// between keys kept, nothing missing. Returns the problems in the order of the file.
/// @param task the table of the task, which some keys are for; "": not known.
[[nodiscard]] std::vector<Problem> check_keys(const Document& document, const TableSpec& root,
                                              const std::string& task);

/// An entry of a list in messages, counted from 1: "mechanism.joints[1]" for index 0.
[[nodiscard]] std::string item_name(const std::string& path, std::size_t index);

using alembert::suggestion;

}  // namespace alembert::study
