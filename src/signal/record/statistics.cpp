#include "alembert/signal/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::signal {
namespace {

// Sum of terms in pairs, so that rounding grows as log n and not as n.
template <typename Term>
double pairwise_sum(Eigen::Index begin, Eigen::Index end, const Term& term) {
  constexpr Eigen::Index kBlock = 128;
  if (end - begin > kBlock) {
    const Eigen::Index middle = begin + (end - begin) / 2;
    return pairwise_sum(begin, middle, term) + pairwise_sum(middle, end, term);
  }
  double sum = 0.0;
  for (Eigen::Index k = begin; k < end; ++k) {
    sum += term(k);
  }
  return sum;
}

}  // namespace

ChannelStatistics statistics(const Eigen::Ref<const Eigen::VectorXd>& values) {
  ChannelStatistics result;
  double largest_magnitude = 0.0;
  for (const double x : values) {
    if (std::isnan(x)) {
      ++result.missing;
      continue;
    }
    if (++result.count == 1) {
      result.smallest = result.largest = x;
    }
    result.smallest = std::min(result.smallest, x);
    result.largest = std::max(result.largest, x);
    largest_magnitude = std::max(largest_magnitude, std::abs(x));
  }
  if (result.count == 0) {
    return result;
  }

  const auto sum = [&values](const auto& term) {
    return pairwise_sum(0, values.size(), [&](Eigen::Index k) {
      return std::isnan(values(k)) ? 0.0 : term(values(k));
    });
  };
  const auto count = static_cast<double>(result.count);
  result.mean = sum([](double x) { return x; }) / count;
  result.rms = std::sqrt(sum([](double x) { return x * x; }) / count);
  const double squares = sum([&](double x) { return (x - result.mean) * (x - result.mean); });
  result.standard_deviation = std::sqrt(squares / std::max(count - 1.0, 1.0));
  result.crest_factor = largest_magnitude / result.rms;
  return result;
}

std::vector<ChannelStatistics> column_statistics(const Eigen::Ref<const Eigen::MatrixXd>& samples) {
  std::vector<ChannelStatistics> result;
  result.reserve(static_cast<std::size_t>(samples.cols()));
  for (Eigen::Index c = 0; c < samples.cols(); ++c) {
    result.push_back(statistics(samples.col(c)));
  }
  return result;
}

}  // namespace alembert::signal
