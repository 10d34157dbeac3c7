#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace alembert::study {

/// What a file of a result holds, discarded() if it is no JSON or nested deeper than any result.
[[nodiscard]] nlohmann::json read_json(const std::filesystem::path& file);

/// Whether its `format` is one of ours.
[[nodiscard]] bool is_our_result(const nlohmann::json& result);

}  // namespace alembert::study
