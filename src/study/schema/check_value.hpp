#pragma once

#include <string>
#include <vector>

#include "alembert/study/detail/keys.hpp"
#include "alembert/study/detail/problem.hpp"

namespace alembert::study {

/// Checks one value, tables excepted: form, finiteness, range, size, choices.
/// `name` is the dotted key for the message.
void check_value(const Document& document, const Value& value, const KeySpec& key,
                 const std::string& name, std::vector<Problem>& problems);

/// The one form of `key.forms` that the value has; 0 if none.
[[nodiscard]] unsigned form_of(const Value& value, unsigned forms);

}  // namespace alembert::study
