#include "alembert/study/result/compare_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "alembert/core/text.hpp"
#include "alembert/study/detail/console.hpp"

namespace alembert::study {
namespace {

// Modes farther apart are not the same one.
constexpr double kModeReach = 0.1;

QuantityPair paired(ResultQuantity first, ResultQuantity second) {
  QuantityPair pair{.first = std::move(first), .second = std::move(second)};
  pair.difference = pair.second.value - pair.first.value;
  // l = sqrt(m1^2 + m2^2)
  pair.limit = std::hypot(pair.first.margin, pair.second.margin);
  // Two given numbers have no interval: they are equal or not.
  const bool known = std::isfinite(pair.limit) && std::isfinite(pair.difference);
  if (known) {
    pair.agreement = std::abs(pair.difference) <= pair.limit ? Agreement::Agree : Agreement::Differ;
  }
  return pair;
}

template <typename Item>
const Item* named(const std::vector<Item>& items, const std::string& name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Item& one) { return one.name == name; });
  return found == items.end() ? nullptr : &*found;
}

std::optional<std::size_t> nearest_mode(const std::vector<ResultMode>& modes, double frequency_hz) {
  std::optional<std::size_t> best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const double distance = std::abs(modes[k].frequency_hz - frequency_hz);
    if (distance < least) {
      least = distance;
      best = k;
    }
  }
  return best;
}

bool within_reach(double one, double other) {
  return std::abs(one - other) < kModeReach * std::min(std::abs(one), std::abs(other));
}

std::string mode_name(const ResultMode& mode) {
  return fmt::format("mode at {:.4g} Hz", mode.frequency_hz);
}

// The mode of the second result that is the same as mode k of the first.
std::optional<std::size_t> partner(const ResultSummary& first, const ResultSummary& second,
                                   std::size_t k) {
  const double frequency = first.modes[k].frequency_hz;
  const std::optional<std::size_t> there = nearest_mode(second.modes, frequency);
  if (!there || !within_reach(frequency, second.modes[*there].frequency_hz)) return std::nullopt;
  return nearest_mode(first.modes, second.modes[*there].frequency_hz) == k ? there : std::nullopt;
}

void pair_modes(ResultComparison& comparison) {
  std::vector<bool> taken(comparison.second.modes.size(), false);
  for (std::size_t k = 0; k < comparison.first.modes.size(); ++k) {
    const ResultMode& mode = comparison.first.modes[k];
    const std::optional<std::size_t> there = partner(comparison.first, comparison.second, k);
    if (!there) {
      comparison.only_first.push_back(mode_name(mode));
      continue;
    }
    taken[*there] = true;
    const ResultMode& other = comparison.second.modes[*there];
    const std::string number = std::to_string(k + 1);
    comparison.quantities.push_back(
        paired({"frequency " + number, "Hz", mode.frequency_hz, mode.frequency_margin},
               {"frequency " + std::to_string(*there + 1), "Hz", other.frequency_hz,
                other.frequency_margin}));
    if (std::isfinite(mode.damping_ratio) && std::isfinite(other.damping_ratio)) {
      comparison.quantities.push_back(
          paired({"damping ratio " + number, "", mode.damping_ratio, mode.damping_margin},
                 {"damping ratio " + std::to_string(*there + 1), "", other.damping_ratio,
                  other.damping_margin}));
    }
  }
  for (std::size_t k = 0; k < taken.size(); ++k) {
    if (!taken[k]) comparison.only_second.push_back(mode_name(comparison.second.modes[k]));
  }
}

void pair_quantities(ResultComparison& comparison) {
  for (const ResultQuantity& one : comparison.first.quantities) {
    const ResultQuantity* other = named(comparison.second.quantities, one.name);
    if (other == nullptr) {
      comparison.only_first.push_back(one.name);
    } else {
      comparison.quantities.push_back(paired(one, *other));
    }
  }
  for (const ResultQuantity& one : comparison.second.quantities) {
    if (named(comparison.first.quantities, one.name) == nullptr) {
      comparison.only_second.push_back(one.name);
    }
  }
}

std::string value_of(const std::vector<std::pair<std::string, std::string>>& settings,
                     const std::string& key) {
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [&](const auto& one) { return one.first == key; });
  return found == settings.end() ? "" : found->second;
}

void compare_settings(ResultComparison& comparison) {
  for (const auto& [key, value] : comparison.first.settings) {
    const std::string other = value_of(comparison.second.settings, key);
    if (other != value) comparison.settings.push_back({key, value, other});
  }
  for (const auto& [key, value] : comparison.second.settings) {
    if (value_of(comparison.first.settings, key).empty()) {
      comparison.settings.push_back({key, "", value});
    }
  }
}

}  // namespace

std::string agreement_words(const ResultComparison& comparison) {
  std::size_t known = 0;
  std::vector<std::string> differing;
  for (const QuantityPair& pair : comparison.quantities) {
    known += pair.agreement == Agreement::Unknown ? 0 : 1;
    if (pair.agreement == Agreement::Differ) differing.push_back(pair.first.name);
  }
  if (comparison.quantities.empty()) return "The two results have no number in common.";
  if (known == 0) {
    return fmt::format("The two results have {} in common, none with an interval in both.",
                       counted(static_cast<long long>(comparison.quantities.size()), "number"));
  }
  return fmt::format("{} of {} with intervals agree within their joint 95 % interval{}.",
                     known - differing.size(), counted(static_cast<long long>(known), "number"),
                     differing.empty() ? "" : "; these differ: " + join(differing, ", "));
}

ResultComparison compare_results(ResultSummary first, ResultSummary second) {
  ResultComparison comparison{.first = std::move(first), .second = std::move(second)};
  pair_quantities(comparison);
  pair_modes(comparison);
  for (const ResultFit& one : comparison.first.fits) {
    const ResultFit* other = named(comparison.second.fits, one.name);
    if (other != nullptr) comparison.fits.push_back({one, *other});
  }
  compare_settings(comparison);
  comparison.same_data =
      !comparison.first.sources.empty() && comparison.first.sources == comparison.second.sources;
  return comparison;
}

}  // namespace alembert::study
