#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/signal/record.hpp"

/// Samples that no motion makes: error codes of loggers, loose plugs, 999 V among volts.
namespace alembert::signal {

/// What becomes of such samples.
enum class SpikeUse {
  Keep,    ///< they stay as they are
  Remove,  ///< they become missing samples
  Bridge,  ///< the line between the samples before and behind takes their place
};

constexpr auto enum_names(SpikeUse) {
  return std::to_array<EnumName<SpikeUse>>(
      {{SpikeUse::Keep, "keep"}, {SpikeUse::Remove, "remove"}, {SpikeUse::Bridge, "bridge"}});
}

/// The samples whose distance from the median is more than 20 times that of every other sample: at
/// most one in a thousand, at least one. Each stands alone or between equal values, so that the
/// pulse of a hammer, which is some samples long, is none; nor is a sample beside zeros alone.
/// Missing samples are passed over. None among fewer than 16 samples.
[[nodiscard]] std::vector<Eigen::Index> find_spikes(
    const Eigen::Ref<const Eigen::VectorXd>& values);

/// The first of them with its time, and how many more there are: "999 at 5 s and 2 more".
[[nodiscard]] std::string spike_words(const TimeAxis& time,
                                      const Eigen::Ref<const Eigen::VectorXd>& values,
                                      const std::vector<Eigen::Index>& spikes);

}  // namespace alembert::signal
