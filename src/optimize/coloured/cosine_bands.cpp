#include "optimize/coloured/cosine_bands.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Index band_width(Index first, Index longest) {
  if (first <= 66) return 1;
  const double width =
      std::min(0.03 * static_cast<double>(first), static_cast<double>(longest) / 256.0);
  return std::max(Index{1}, static_cast<Index>(width));
}

}  // namespace

CosineBands::CosineBands(Index longest) {
  std::vector<double> middle;
  band_.resize(static_cast<std::size_t>(longest));
  for (Index first = 0; first < longest;) {
    const Index end = std::min(longest, first + band_width(first, longest));
    std::fill(band_.begin() + first, band_.begin() + end, static_cast<Index>(middle.size()));
    middle.push_back(0.5 * static_cast<double>(first + end - 1));
    first = end;
  }
  middle_ = VectorXd::Map(middle.data(), static_cast<Index>(middle.size()));
}

VectorXd CosineBands::frequency() const {
  return std::numbers::pi / static_cast<double>(longest()) * middle_;
}

std::vector<Index> CosineBands::of_bins(Index length) const {
  std::vector<Index> result(static_cast<std::size_t>(length));
  for (Index k = 0; k < length; ++k) {
    // Frequency π k/length is that of bin k N/length of the longest, rounded.
    const Index nearest = (2 * k * longest() + length) / (2 * length);
    result[static_cast<std::size_t>(k)] =
        band_[static_cast<std::size_t>(std::min(nearest, longest() - 1))];
  }
  return result;
}

MatrixXd CosineBands::triangle(double least, double share) const {
  MatrixXd K(count(), count());
  const Eigen::ArrayXd half = (share * middle_.array()).max(least);
  for (Index b = 0; b < count(); ++b) {
    K.col(b) = (1.0 - (middle_.array() - middle_(b)).abs() / half).max(0.0).matrix();
  }
  return K;
}

}  // namespace alembert::optimize
