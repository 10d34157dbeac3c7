#include <algorithm>
#include <cmath>

#include "alembert/identify/modes/hammer.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kMadToDeviation = 1.4826;  // of normal noise: 1/Φ⁻¹(3/4)
constexpr double kPulseOverRest = 30.0;     // deviations of the force at rest
constexpr double kMostAtWork = 0.1;         // share of the samples in pulses
constexpr double kLeastBlow = 0.25;         // of the largest pulse; smaller ones are second hits
constexpr double kFoot = 0.1;               // of its height, where a pulse begins and ends
constexpr double kSecondDeviations = 6.0;
constexpr double kSecondShare = 0.02;
constexpr double kRingShare = 0.5;     // of a swing back to what may be a hit
constexpr double kUsualSpacing = 0.3;  // of the median of the spacings
constexpr double kPairSpacing = 0.1;   // of the record, where there are two pulses alone
constexpr Index kFewestFlat = 3;
constexpr double kFlatShare = 0.1;  // of the width

double median_of(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Rest {
  double level = 0.0, deviation = 0.0;
};

Rest rest_of(const Eigen::Ref<const VectorXd>& force) {
  const double level = median_of({force.begin(), force.end()});
  const VectorXd apart = (force.array() - level).abs();
  return {level, kMadToDeviation * median_of({apart.begin(), apart.end()})};
}

// The force as a push: over its level, upwards.
VectorXd push_of(const Eigen::Ref<const VectorXd>& force, double level, double& sign) {
  const VectorXd over = force.array() - level;
  sign = over.maxCoeff() >= -over.minCoeff() ? 1.0 : -1.0;
  return sign * over;
}

struct Pulse {
  Index first = 0, peak = 0, last = 0;

  [[nodiscard]] Index width() const { return last - first + 1; }
};

// The samples around a peak that are above a tenth of it.
Pulse pulse_around(const VectorXd& push, Index peak) {
  Pulse pulse{peak, peak, peak};
  const double foot = kFoot * push(peak);
  while (pulse.first > 0 && push(pulse.first - 1) > foot) --pulse.first;
  while (pulse.last + 1 < push.size() && push(pulse.last + 1) > foot) ++pulse.last;
  return pulse;
}

// Pulses of a quarter of the largest one or more, in the order of time.
std::vector<Pulse> pulses_of(const VectorXd& push) {
  const double least = kLeastBlow * push.maxCoeff();
  std::vector<Pulse> list;
  for (Index k = 0; k < push.size(); ++k) {
    if (push(k) < least) continue;
    Index end = k;
    while (end + 1 < push.size() && push(end + 1) > kFoot * push.maxCoeff()) ++end;
    Index peak = k;
    push.segment(k, end - k + 1).maxCoeff(&peak);
    list.push_back(pulse_around(push, k + peak));
    k = std::max(end, list.back().last);
  }
  return list;
}

// A hammer rests between its blows.
bool is_hammer(const VectorXd& push, const std::vector<Pulse>& pulses, double deviation) {
  Index at_work = 0;
  for (const Pulse& one : pulses) at_work += one.width();
  return push.maxCoeff() > kPulseOverRest * deviation && push.maxCoeff() > 0.0 &&
         static_cast<double>(at_work) < kMostAtWork * static_cast<double>(push.size());
}

// The pulses that begin a blow: those that do not follow the one before too soon.
std::vector<Pulse> leading_pulses(const std::vector<Pulse>& pulses, Index samples) {
  std::vector<double> spacings;
  for (std::size_t k = 1; k < pulses.size(); ++k) {
    spacings.push_back(static_cast<double>(pulses[k].peak - pulses[k - 1].peak));
  }
  const double least = spacings.size() > 1 ? kUsualSpacing * median_of(spacings)
                                           : kPairSpacing * static_cast<double>(samples);
  std::vector<Pulse> list;
  for (const Pulse& one : pulses) {
    if (list.empty() || static_cast<double>(one.peak - list.back().peak) >= least) {
      list.push_back(one);
    }
  }
  return list;
}

VectorXd averaged(const VectorXd& push, Index from, Index to, Index count) {
  VectorXd mean = VectorXd::Zero(std::max<Index>(0, to - from - count + 1));
  for (Index k = 0; k < mean.size(); ++k) mean(k) = push.segment(from + k, count).mean();
  return mean;
}

void look_for_second_hit(const VectorXd& push, const Pulse& pulse, Index end, double deviation,
                         HammerBlow& blow) {
  const Index count = std::max<Index>(1, pulse.width() / 2);
  const Index from = pulse.last + pulse.width() + 1;
  const VectorXd mean = averaged(push, from, end, count);
  const double bar = std::max(kSecondDeviations * deviation / std::sqrt(static_cast<double>(count)),
                              kSecondShare * push(pulse.peak));
  double most = bar;
  for (Index k = 0; k < mean.size(); ++k) {
    if (mean(k) <= most) continue;
    const Index near = std::max<Index>(0, k - 2 * pulse.width());
    const Index size = std::min<Index>(mean.size() - near, 4 * pulse.width() + 1);
    if (-mean.segment(near, size).minCoeff() > kRingShare * mean(k)) continue;
    most = mean(k);
    blow.second_hit = true;
    blow.second_peak = from + k + count / 2;
    blow.second_share = push.segment(from + k, count).maxCoeff() / push(pulse.peak);
  }
}

// A half sine of w samples has two or three at its top that rounding makes equal, unless it is very
// long; a clipped one has a tenth of its width there or more.
bool is_flat(const VectorXd& push, const Pulse& pulse) {
  Index flat = 0;
  for (Index k = pulse.first; k <= pulse.last; ++k) flat += push(k) == push(pulse.peak) ? 1 : 0;
  return flat >= kFewestFlat &&
         static_cast<double>(flat) >= kFlatShare * static_cast<double>(pulse.width());
}

}  // namespace

std::vector<HammerBlow> find_blows(const Eigen::Ref<const VectorXd>& force) {
  std::vector<HammerBlow> blows;
  if (force.size() == 0 || !force.allFinite()) return blows;
  const Rest rest = rest_of(force);
  double sign = 1.0;
  const VectorXd push = push_of(force, rest.level, sign);
  const std::vector<Pulse> pulses = pulses_of(push);
  if (!is_hammer(push, pulses, rest.deviation)) return blows;
  const std::vector<Pulse> leading = leading_pulses(pulses, force.size());
  for (std::size_t k = 0; k < leading.size(); ++k) {
    const Pulse& one = leading[k];
    const Index end =
        k + 1 < leading.size() ? leading[k + 1].first - 2 * leading[k + 1].width() : force.size();
    HammerBlow blow{.peak = one.peak, .height = sign * push(one.peak), .width = one.width()};
    look_for_second_hit(push, one, end, rest.deviation, blow);
    blow.clipped = is_flat(push, one);
    blows.push_back(blow);
  }
  return blows;
}

}  // namespace alembert::identify
