#pragma once

#include <string>
#include <utility>
#include <vector>

namespace alembert::app {

/// What the tool and the machine are: a word and what there is to say.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> machine_facts();

}  // namespace alembert::app
