#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// Reads a rendered page as the page's own script does, by an independent way.
namespace alembert::test {

inline std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

inline bool has(const std::string& text, const std::string& word) { return count(text, word) > 0; }

/// All data blocks of a page, in order.
inline std::vector<nlohmann::json> data_blocks(const std::string& page) {
  const std::string open = "<script type=\"application/json\">";
  std::vector<nlohmann::json> blocks;
  for (auto at = page.find(open); at != std::string::npos; at = page.find(open, at + 1)) {
    const auto begin = at + open.size();
    blocks.push_back(
        nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin)));
  }
  return blocks;
}

inline std::vector<unsigned char> from_base64(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes;
  std::uint32_t bits = 0;
  int have = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = (bits << 6U) | static_cast<std::uint32_t>(letters.find(c));
    have += 6;
    if (have < 8) continue;
    have -= 8;
    bytes.push_back(static_cast<unsigned char>((bits >> static_cast<unsigned>(have)) & 0xFFU));
  }
  return bytes;
}

template <typename Number>
std::vector<double> numbers_in(const std::string& base64) {
  const std::vector<unsigned char> bytes = from_base64(base64);
  std::vector<double> values;
  for (std::size_t i = 0; i + sizeof(Number) <= bytes.size(); i += sizeof(Number)) {
    Number value;
    std::memcpy(&value, bytes.data() + i, sizeof value);
    values.push_back(static_cast<double>(value));
  }
  return values;
}

/// The ordinates of curve `index` of a plot.
inline std::vector<double> curve_y(const nlohmann::json& plot, std::size_t index) {
  const nlohmann::json& y = plot["curves"][index]["y"];
  if (y.contains("f64")) return numbers_in<double>(y["f64"]);
  std::vector<double> values = numbers_in<float>(y["f32"]);
  for (double& v : values) v += y.value("offset", 0.0);
  return values;
}

/// The abscissae of curve `index` of a plot.
inline std::vector<double> curve_x(const nlohmann::json& plot, std::size_t index) {
  const nlohmann::json& x = plot["curves"][index]["x"];
  if (x.contains("same")) return curve_x(plot, x["same"]);
  if (x.contains("f64")) return numbers_in<double>(x["f64"]);
  const double start = x["start"];
  const double step = x["step"];
  std::vector<double> values;
  if (x.contains("count")) {
    for (int k = 0; k < x["count"].get<int>(); ++k) values.push_back(start + k * step);
    return values;
  }
  double k = 0.0;
  double delta = 0.0;
  double weight = 1.0;
  for (const unsigned char byte : from_base64(x["index"])) {
    delta += weight * (byte & 127U);
    weight *= 128.0;
    if (byte >= 128U) continue;
    k += delta;
    values.push_back(start + k * step);
    delta = 0.0;
    weight = 1.0;
  }
  return values;
}

}  // namespace alembert::test
