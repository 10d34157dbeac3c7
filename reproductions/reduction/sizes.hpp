#pragma once

#include <string>
#include <vector>

#include "alembert/reduce/reduce.hpp"
#include "reproductions/reproduce.hpp"

namespace alembert::reproductions::reduction {

/// The smallest good model of a method: NaN where no size that was looked at is good.
[[nodiscard]] double size_of(const reduce::ReduceResult& result, reduce::Method method);

/// The same if the responses off the design frequencies count too.
[[nodiscard]] double band_size_of(const reduce::ReduceResult& result, reduce::Method method);

/// A figure over the size, a curve for each of these methods.
[[nodiscard]] Plot curves_of(const reduce::ReduceResult& result,
                             const std::vector<reduce::Method>& methods, Plot plot,
                             double (*figure)(const reduce::TradeOff&));

}  // namespace alembert::reproductions::reduction
