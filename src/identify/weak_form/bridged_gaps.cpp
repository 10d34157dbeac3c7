#include "identify/weak_form/bridged_gaps.hpp"

#include <cmath>
#include <vector>

#include "alembert/signal/spline.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr Index kLongestBridge = 8;  // samples
constexpr Index kFewestPosts = 8;    // samples that a spline passes through
constexpr double kMostWindows = 0.5;

// Windows of the length and how many of them have all samples of all outputs.
struct WindowCount {
  Index all = 0, whole = 0;
};

void count_windows(const Experiment& experiment, Index length, WindowCount& count) {
  Index run = 0;  // of whole samples up to here
  for (Index k = 0; k < experiment.samples(); ++k) {
    run = experiment.output.row(k).hasNaN() ? 0 : run + 1;
    count.all += k + 1 >= length ? 1 : 0;
    count.whole += run >= length ? 1 : 0;
  }
}

void bridge(Eigen::Ref<VectorXd> output) {
  std::vector<Index> there;
  for (Index k = 0; k < output.size(); ++k) {
    if (!std::isnan(output(k))) there.push_back(k);
  }
  const auto posts = static_cast<Index>(there.size());
  if (posts < kFewestPosts || posts == output.size()) return;
  VectorXd times(posts), values(posts);
  for (Index j = 0; j < posts; ++j) {
    times(j) = static_cast<double>(there[static_cast<std::size_t>(j)]);
    values(j) = output(there[static_cast<std::size_t>(j)]);
  }
  const signal::PiecewisePolynomial spline = signal::cubic_spline(times, values);
  for (std::size_t j = 1; j < there.size(); ++j) {
    if (there[j] - there[j - 1] - 1 > kLongestBridge) continue;
    for (Index k = there[j - 1] + 1; k < there[j]; ++k) output(k) = spline(static_cast<double>(k));
  }
}

}  // namespace

std::optional<Experiments> with_bridged_gaps(const Experiments& data, Index samples) {
  if (!has_missing(data)) return {};
  WindowCount count;
  for (const Experiment& experiment : data) count_windows(experiment, samples, count);
  if (static_cast<double>(count.whole) >= kMostWindows * static_cast<double>(count.all)) return {};
  Experiments bridged = data;
  for (Experiment& experiment : bridged) {
    for (Index i = 0; i < experiment.output.cols(); ++i) bridge(experiment.output.col(i));
  }
  return bridged;
}

}  // namespace alembert::identify
