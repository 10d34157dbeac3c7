#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/study/detail/toml.hpp"
#include "study/tasks/monte_carlo/read_monte_carlo.hpp"

namespace alembert::study {
namespace {

constexpr std::size_t kMostSweptKeys = 2;

// A key with dots is a path already; one that TOML wants quoted gets its quotes back.
std::string path_part(const std::string& key) {
  const bool path = key.find('.') != std::string::npos;
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
  });
  return path || bare ? key : toml_string(key);
}

struct SweptEntry {
  std::string path;
  const Entry* entry = nullptr;
};

void collect_swept(const Value& table, const std::string& prefix, std::vector<SweptEntry>& found) {
  for (const Entry& entry : *table.table()) {
    const std::string path = (prefix.empty() ? "" : prefix + ".") + path_part(entry.key);
    if (entry.value.table() != nullptr) {
      collect_swept(entry.value, path, found);
    } else {
      found.push_back({path, &entry});
    }
  }
}

void check_path(const std::string& path, const Place& place,
                const std::vector<std::string>& known) {
  const std::string table = path.substr(0, path.find('.'));
  if (std::find(known.begin(), known.end(), table) == known.end()) {
    const std::string best = nearest(table, known);
    throw StudyError(place, fmt::format("monte-carlo.sweep: \"{}\" must be a key of [{}]{}", path,
                                        join(known, "], ["),
                                        best.empty() ? "" : "; did you mean \"" + best + "\"?"));
  }
}

ReadSweepKey read_swept(const TableReader& monte_carlo, const SweptEntry& swept) {
  ReadSweepKey key;
  key.sweep.key = swept.path;
  const Array& items = *swept.entry->value.array();
  key.sweep.numbers.resize(static_cast<Eigen::Index>(items.size()));
  bool numbers = true;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string value = to_toml(items[i]);
    const Place place = monte_carlo.place_of(items[i].position);
    if (!seen.insert(value).second) {
      throw StudyError(place,
                       fmt::format("monte-carlo.sweep: {} holds {} twice", swept.path, value));
    }
    key.sweep.values.push_back(value);
    key.sweep.labels.push_back(items[i].text() == nullptr ? value : *items[i].text());
    key.places.push_back(place);
    numbers = numbers && items[i].is_number();
    key.sweep.numbers(static_cast<Eigen::Index>(i)) = items[i].number();
  }
  if (!numbers) key.sweep.numbers.resize(0);
  return key;
}

}  // namespace

std::vector<ReadSweepKey> read_sweep(const TableReader& monte_carlo,
                                     const std::vector<std::string>& tables) {
  std::vector<ReadSweepKey> keys;
  if (!monte_carlo.has("sweep")) return keys;
  std::vector<SweptEntry> found;
  collect_swept(*monte_carlo.value("sweep"), "", found);
  if (found.empty()) monte_carlo.fail_at_key("sweep", "monte-carlo.sweep must name a key");
  for (const SweptEntry& swept : found) {
    const Place place = monte_carlo.place_of(swept.entry->position);
    check_path(swept.path, place, tables);
    if (keys.size() == kMostSweptKeys) {
      throw StudyError(place, fmt::format("monte-carlo.sweep takes {} keys at most, got {}",
                                          kMostSweptKeys, found.size()));
    }
    if (!keys.empty() && keys.front().sweep.key == swept.path) {
      throw StudyError(place, fmt::format("monte-carlo.sweep: {} stands there twice", swept.path));
    }
    keys.push_back(read_swept(monte_carlo, swept));
  }
  return keys;
}

}  // namespace alembert::study
