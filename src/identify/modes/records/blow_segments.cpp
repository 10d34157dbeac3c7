#include "identify/modes/records/blow_segments.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/identify/modes/hammer.hpp"
#include "identify/modes/records/band_rows.hpp"

namespace alembert::identify::modes {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using signal::InputOutput;

constexpr double kEndLevel = 0.01;  // of the window
constexpr Index kFewestSegmentRows = 64;
constexpr Index kWidthsBeforeBlow = 2;  // of its pulse, where a segment begins
constexpr double kLeastRoom = 0.5;      // of the median

struct BlowStart {
  std::size_t experiment;
  Index first, room;  // samples until the next blow or the end
};

std::vector<BlowStart> blow_starts(const InputOutput& one, std::size_t experiment) {
  std::vector<BlowStart> list;
  for (Index j = 0; j < one.inputs.cols(); ++j) {
    for (const HammerBlow& blow : find_blows(one.inputs.col(j))) {
      list.push_back(
          {experiment, std::max<Index>(0, blow.peak - kWidthsBeforeBlow * blow.width), 0});
    }
  }
  std::sort(list.begin(), list.end(),
            [](const BlowStart& a, const BlowStart& b) { return a.first < b.first; });
  for (std::size_t k = 0; k < list.size(); ++k) {
    const Index end = k + 1 < list.size() ? list[k + 1].first : one.inputs.rows();
    list[k].room = end - list[k].first;
  }
  return list;
}

// The shortest room of the starts that have enough; the others are taken out.
Index common_room(std::vector<BlowStart>& starts) {
  std::vector<Index> rooms;
  for (const BlowStart& one : starts) rooms.push_back(one.room);
  std::sort(rooms.begin(), rooms.end());
  const double least = kLeastRoom * static_cast<double>(rooms[rooms.size() / 2]);
  std::erase_if(starts,
                [&](const BlowStart& one) { return static_cast<double>(one.room) < least; });
  Index shortest = rooms.back();
  for (const BlowStart& one : starts) shortest = std::min(shortest, one.room);
  return smooth_length(shortest);
}

// Responses about their medians: a mean would hold what the blow itself leaves.
MatrixXd about_rest(const MatrixXd& outputs) {
  MatrixXd moved = outputs;
  for (Index o = 0; o < outputs.cols(); ++o) {
    std::vector<double> values(outputs.col(o).begin(), outputs.col(o).end());
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    moved.col(o).array() -= *middle;
  }
  return moved;
}

}  // namespace

std::optional<BlowSegments> blow_segments(const std::vector<InputOutput>& experiments, double step,
                                          const signal::FrfOptions& options) {
  if (options.welch.segment_samples > 0 || options.period_samples > 0) return {};
  std::vector<BlowStart> starts;
  for (std::size_t e = 0; e < experiments.size(); ++e) {
    const std::vector<BlowStart> own = blow_starts(experiments[e], e);
    if (own.empty()) return {};
    starts.insert(starts.end(), own.begin(), own.end());
  }
  const Index length = common_room(starts);
  if (length < kFewestSegmentRows) return {};
  BlowSegments cut{.segments = {}, .frf = options};
  std::vector<MatrixXd> outputs;
  for (const InputOutput& one : experiments) outputs.push_back(about_rest(one.outputs));
  for (const BlowStart& one : starts) {
    cut.segments.push_back({experiments[one.experiment].inputs.middleRows(one.first, length),
                            outputs[one.experiment].middleRows(one.first, length)});
  }
  cut.frf.welch.segment_samples = length;
  cut.frf.welch.overlap = 0.0;
  cut.frf.welch.window = {.kind = signal::WindowKind::Exponential, .end_level = kEndLevel};
  cut.frf.welch.trend_degree = -1;
  cut.added_decay = -std::log(kEndLevel) / (static_cast<double>(length) * step);
  return cut;
}

}  // namespace alembert::identify::modes
