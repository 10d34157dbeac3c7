#include "integrate/equations/record_writer.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::integrate {

bool RecordWriter::write(long sample, double t, const double* x, const double* s) {
  if (!std::all_of(x, x + nx_, [](double value) { return std::isfinite(value); })) return false;
  const auto k = static_cast<std::size_t>(sample);
  const double* u = inputs_.at_sample(sample);
  double* y = y_ + k * ny_;
  if (x_ != nullptr) std::copy_n(x, nx_, x_ + k * nx_);
  if (view_ == nullptr) {
    point_.g(t, x, u, y);
  } else {
    const auto count = static_cast<std::size_t>(view_->count);
    point_.g(t, x, u, *view_, s, y, view_->outputs + k * ny_ * count);
    for (std::size_t i = 0; view_->states != nullptr && i < nx_; ++i) {
      std::copy_n(s + i * static_cast<std::size_t>(view_->stride), count,
                  view_->states + (k * nx_ + i) * count);
    }
  }
  return true;
}

}  // namespace alembert::integrate
