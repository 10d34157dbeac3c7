#include "study/result/json_file.hpp"

#include <fstream>
#include <string>
#include <string_view>

namespace alembert::study {
namespace {

constexpr std::string_view kFormatPrefix = "alembert-result-";

// No result of ours is nested deeper.
constexpr int kDeepestResult = 64;

}  // namespace

nlohmann::json read_json(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const auto shallow = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    return depth <= kDeepestResult;
  };
  return nlohmann::json::parse(stream, shallow, false);
}

bool is_our_result(const nlohmann::json& result) {
  const auto format = result.is_object() ? result.find("format") : result.end();
  return format != result.end() && format->is_string() &&
         format->get<std::string>().rfind(kFormatPrefix, 0) == 0;
}

}  // namespace alembert::study
