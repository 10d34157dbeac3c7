#include "model/equations/simulation/record_writer.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::model::equations {

bool RecordWriter::write(double t, const double* x, const double* s) {
  if (!std::all_of(x, x + nx_, [](double value) { return std::isfinite(value); })) return false;
  const auto k = static_cast<std::size_t>(next_);
  const double* u = inputs_.at_sample(next_);
  double* y = results_.y + k * ny_;
  if (results_.xs != nullptr) std::copy_n(x, nx_, results_.xs + k * nx_);
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
  ++next_;
  return true;
}

}  // namespace alembert::model::equations
