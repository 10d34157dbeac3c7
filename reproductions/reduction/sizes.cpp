#include "reproductions/reduction/sizes.hpp"

#include <algorithm>
#include <limits>

namespace alembert::reproductions::reduction {

using reduce::Method;
using reduce::ReduceResult;
using reduce::TradeOff;

namespace {

double size_in(const std::vector<TradeOff>& points, Method method) {
  for (const TradeOff& one : points) {
    if (one.method == method && one.size > 0) return static_cast<double>(one.size);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

double size_of(const ReduceResult& result, Method method) {
  return size_in(result.smallest, method);
}

double band_size_of(const ReduceResult& result, Method method) {
  return size_in(result.smallest_off_design, method);
}

Plot curves_of(const ReduceResult& result, const std::vector<Method>& methods, Plot plot,
               double (*figure)(const TradeOff&)) {
  constexpr double kFloor = 1e-12;  // a zero has no logarithm
  for (const Method method : methods) {
    std::vector<double> x;
    std::vector<double> y;
    for (const TradeOff& one : result.curve) {
      if (one.method != method) continue;
      x.push_back(static_cast<double>(one.size));
      y.push_back(std::max(figure(one), kFloor));
    }
    const auto count = static_cast<Eigen::Index>(x.size());
    plot.curves.push_back({.name = std::string(name_of(method)),
                           .x = Eigen::Map<Eigen::VectorXd>(x.data(), count),
                           .y = Eigen::Map<Eigen::VectorXd>(y.data(), count),
                           .style = count == 1 ? Curve::Style::Points : Curve::Style::Line});
  }
  return plot;
}

}  // namespace alembert::reproductions::reduction
