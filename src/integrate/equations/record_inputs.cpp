#include "integrate/equations/record_inputs.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::integrate {

namespace {

constexpr long kLargestDegree = 8;

}  // namespace

const double* RecordInputs::at_sample(long sample) const {
  const long row = record_.between == 2 ? 2 * sample * record_.substeps : sample;
  return record_.inputs + static_cast<std::size_t>(row) * count_;
}

const double* RecordInputs::before_jump(long interval) {
  const double* u = at_sample(interval);
  const double* before = at_sample(interval - 1);
  return record_.between != 0 || std::equal(u, u + count_, before) ? nullptr : before;
}

const double* RecordInputs::at(long interval, double t) {
  const double begin = record_.start_time + static_cast<double>(interval) * record_.step;
  const double fraction = std::clamp((t - begin) / record_.step, 0.0, 1.0);
  const double* us = at_sample(interval);
  if (record_.between == 0) return us;
  if (record_.between == 1) {
    for (std::size_t i = 0; i < count_; ++i) u_[i] = us[i] + fraction * (us[i + count_] - us[i]);
  } else {
    interpolate(us, fraction * static_cast<double>(2 * record_.substeps));
  }
  return u_;
}

const double* RecordInputs::at_half(long sample, long j, int half) {
  const double* us = at_sample(sample);
  if (record_.between == 2) return us + static_cast<std::size_t>(2 * j + half) * count_;
  double* u = u_ + static_cast<std::size_t>(half) * count_;
  const double s = (static_cast<double>(j) + 0.5 * half) /* exact */ *
                   (1.0 / static_cast<double>(record_.substeps));
  for (std::size_t i = 0; i < count_; ++i) u[i] = us[i] + s * (us[i + count_] - us[i]);
  return u;
}

ode::StepInputs RecordInputs::of_step(long sample, long j) {
  if (record_.between == 0) return {at_sample(sample), at_sample(sample), at_sample(sample)};
  return {at_half(sample, j, 0), at_half(sample, j, 1), at_half(sample, j, 2)};
}

// Lagrange's polynomial in barycentric form; for equal distances the weights are (-1)^j (n over j).
void RecordInputs::interpolate(const double* first, double place) const {
  double* u = u_;
  const long rows = 2 * record_.substeps;
  const long degree = std::min(rows, kLargestDegree);
  const long low = std::clamp(static_cast<long>(place) - degree / 2, 0L, rows - degree);
  double weight = 1.0;
  double sum = 0.0;
  std::fill_n(u, count_, 0.0);
  for (long j = 0; j <= degree; ++j) {
    const double* row = first + static_cast<std::size_t>(low + j) * count_;
    const double distance = place - static_cast<double>(low + j);
    if (distance == 0.0) {
      std::copy_n(row, count_, u);
      return;
    }
    const double factor = weight / distance;
    sum += factor;
    for (std::size_t i = 0; i < count_; ++i) u[i] += factor * row[i];
    weight *= -static_cast<double>(degree - j) / static_cast<double>(j + 1);
  }
  for (std::size_t i = 0; i < count_; ++i) u[i] /= sum;
}

}  // namespace alembert::integrate
