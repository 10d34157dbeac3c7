#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/identify/modes/hammer.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using signal::InputOutput;

constexpr const char* kBadBlows = "without_bad_blows";
constexpr double kLeastKept = 0.5;       // of the blows of an input
constexpr Index kFewestRowsOfPart = 64;  // shorter parts are left out too
constexpr Index kWidthsBefore = 4;       // of a blow, from which it is cut

struct FoundBlow {
  std::size_t experiment;
  Index input;
  HammerBlow blow;
  Index first, last;  // rows from shortly before it to shortly before the next one

  [[nodiscard]] bool bad() const { return blow.second_hit || blow.clipped; }
};

// The blows of one experiment, of all inputs, in the order of time.
std::vector<FoundBlow> blows_of(const InputOutput& one, std::size_t experiment) {
  std::vector<FoundBlow> list;
  for (Index j = 0; j < one.inputs.cols(); ++j) {
    for (const HammerBlow& blow : find_blows(one.inputs.col(j))) {
      const Index first = std::max<Index>(0, blow.peak - kWidthsBefore * blow.width);
      list.push_back({experiment, j, blow, first, one.inputs.rows() - 1});
    }
  }
  std::sort(list.begin(), list.end(),
            [](const FoundBlow& a, const FoundBlow& b) { return a.first < b.first; });
  for (std::size_t k = 1; k < list.size(); ++k) list[k - 1].last = list[k].first - 1;
  return list;
}

std::string words_of(const FoundBlow& one, std::size_t records, double step) {
  const std::string place =
      fmt::format("{}blow at {:.5g} s",
                  records > 1 ? fmt::format("record {}, ", one.experiment + 1) : std::string(),
                  static_cast<double>(one.blow.peak) * step);
  std::string why;
  if (one.blow.second_hit) {
    why = fmt::format("the hammer hit a second time after {:.3g} ms, with {:.2g} % of the force",
                      1e3 * step * static_cast<double>(one.blow.second_peak - one.blow.peak),
                      100.0 * one.blow.second_share);
  }
  if (one.blow.clipped) {
    why += fmt::format("{}the force is clipped at {:.4g}", why.empty() ? "" : ", and ",
                       one.blow.height);
  }
  return place + ": " + why;
}

// Inputs that keep half of their blows without the bad ones.
std::vector<bool> can_spare(const std::vector<FoundBlow>& blows, Index inputs) {
  std::vector<bool> list;
  for (Index j = 0; j < inputs; ++j) {
    double all = 0.0, good = 0.0;
    for (const FoundBlow& one : blows) {
      if (one.input != j) continue;
      all += 1.0;
      good += one.bad() ? 0.0 : 1.0;
    }
    list.push_back(good >= 1.0 && good >= kLeastKept * all);
  }
  return list;
}

void add_rows(const InputOutput& one, Index first, Index count, HammerRecords& records) {
  if (count < kFewestRowsOfPart) return;
  records.experiments.push_back(
      {one.inputs.middleRows(first, count), one.outputs.middleRows(first, count)});
}

// What is left between the cuts.
void add_parts(const InputOutput& one, const std::vector<FoundBlow>& cuts, HammerRecords& records) {
  Index from = 0;
  for (const FoundBlow& cut : cuts) {
    add_rows(one, from, cut.first - from, records);
    from = cut.last + 1;
  }
  if (cuts.empty()) {
    records.experiments.push_back(one);
  } else {
    add_rows(one, from, one.inputs.rows() - from, records);
  }
}

}  // namespace

HammerRecords without_bad_blows(const std::vector<InputOutput>& experiments, double step) {
  HammerRecords records;
  if (experiments.empty()) return records;
  const Index inputs = experiments.front().inputs.cols();
  std::vector<FoundBlow> all;
  for (std::size_t e = 0; e < experiments.size(); ++e) {
    check::size(kBadBlows, "columns of inputs", experiments[e].inputs.cols(), inputs);
    check::size(kBadBlows, "rows of outputs", experiments[e].outputs.rows(),
                experiments[e].inputs.rows());
    const std::vector<FoundBlow> own = blows_of(experiments[e], e);
    all.insert(all.end(), own.begin(), own.end());
  }
  const std::vector<bool> spare = can_spare(all, inputs);
  for (std::size_t e = 0; e < experiments.size(); ++e) {
    std::vector<FoundBlow> cuts;
    for (const FoundBlow& one : all) {
      if (one.experiment != e || !one.bad()) continue;
      const bool cut = spare[static_cast<std::size_t>(one.input)];
      (cut ? records.left_out : records.doubts).push_back(words_of(one, experiments.size(), step));
      if (cut) cuts.push_back(one);
    }
    add_parts(experiments[e], cuts, records);
  }
  return records;
}

}  // namespace alembert::identify
