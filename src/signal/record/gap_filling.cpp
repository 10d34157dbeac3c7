#include "signal/record/gap_filling.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/not_a_number.hpp"
#include "alembert/signal/spline.hpp"

namespace alembert::signal {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

using ConstVector = Eigen::Ref<const VectorXd>;

// Times that differ by this part of the mean step are the same instant.
constexpr double kSameInstant = 1e-6;

}  // namespace

Stretches::Stretches(const ConstVector& times, const ConstVector& values, double longest,
                     bool quintic) {
  tolerance_ = times.size() < 2 ? 0.0
                                : kSameInstant * (times[times.size() - 1] - times[0]) /
                                      static_cast<double>(times.size() - 1);
  VectorXd present_times(times.size());
  VectorXd present_values(times.size());
  Index begin = 0;
  Index n = 0;
  for (Index k = 0; k < times.size(); ++k) {
    if (std::isnan(values[k])) {
      continue;
    }
    if (n > begin && times[k] - present_times[n - 1] > longest + tolerance_) {
      add_stretch(present_times.segment(begin, n - begin), present_values.segment(begin, n - begin),
                  quintic);
      begin = n;
    }
    present_times[n] = times[k];
    present_values[n++] = values[k];
  }
  if (n > begin) {
    add_stretch(present_times.segment(begin, n - begin), present_values.segment(begin, n - begin),
                quintic);
  }
}

void Stretches::add_stretch(const ConstVector& times, const ConstVector& values, bool quintic) {
  const Index n = times.size();
  Stretch stretch{times[0], times[n - 1], values[0], values[n - 1], {}};
  if (n > 1) {
    stretch.spline = quintic ? quintic_spline(times, values) : cubic_spline(times, values);
  }
  stretches_.push_back(std::move(stretch));
}

VectorXd Stretches::inside(const ConstVector& at) const {
  VectorXd result = VectorXd::Constant(at.size(), kNaN);
  const double* const first = at.data();
  for (const Stretch& stretch : stretches_) {
    const Index begin =
        std::lower_bound(first, first + at.size(), stretch.begin - tolerance_) - first;
    const Index end = std::upper_bound(first, first + at.size(), stretch.end + tolerance_) - first;
    if (stretch.spline.pieces() == 0) {
      result.segment(begin, end - begin).setConstant(stretch.first_value);
    } else {
      result.segment(begin, end - begin) = stretch.spline(at.segment(begin, end - begin));
    }
  }
  return result;
}

// Straight line into stretch `next` from the one before it.
double Stretches::between(std::size_t next, double time) const {
  if (next == 0) {
    return stretches_.front().first_value;
  }
  if (next == stretches_.size()) {
    return stretches_.back().last_value;
  }
  const Stretch& before = stretches_[next - 1];
  const Stretch& after = stretches_[next];
  const double part = (time - before.end) / (after.begin - before.end);
  return before.last_value + part * (after.first_value - before.last_value);
}

VectorXd Stretches::everywhere(const ConstVector& at) const {
  if (stretches_.empty()) {
    return VectorXd::Zero(at.size());
  }
  VectorXd result = inside(at);
  std::size_t next = 0;
  for (Index k = 0; k < at.size(); ++k) {
    while (next < stretches_.size() && stretches_[next].begin <= at[k]) {
      ++next;
    }
    if (std::isnan(result[k])) {
      result[k] = between(next, at[k]);
    }
  }
  return result;
}

}  // namespace alembert::signal
