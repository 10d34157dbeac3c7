#include "model/equations/simulation/record_inputs.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::model::equations {

namespace {

constexpr long kLargestDegree = 8;

}  // namespace

const double* RecordInputs::at_sample(long sample) const {
  const long row = record_.between == 2 ? 2 * sample * record_.substeps : sample;
  return record_.inputs + static_cast<std::size_t>(row) * count_;
}

void RecordInputs::at(long sample, double fraction, double* u) const {
  const double* us = at_sample(sample);
  if (record_.between == 0) {
    std::copy_n(us, count_, u);
  } else if (record_.between == 1) {
    for (std::size_t i = 0; i < count_; ++i) u[i] = us[i] + fraction * (us[i + count_] - us[i]);
  } else {
    interpolate(us, fraction * static_cast<double>(2 * record_.substeps), u);
  }
}

// Lagrange's polynomial in barycentric form; for equal distances the weights are (-1)^j (n over j).
void RecordInputs::interpolate(const double* first, double place, double* u) const {
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

}  // namespace alembert::model::equations
