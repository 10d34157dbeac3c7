#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/io/table.hpp"
#include "alembert/signal/record.hpp"

namespace alembert::io {

/// What a reader found, before the caller's options are applied.
struct RecordParts {
  Place place = {};  ///< for messages
  std::vector<signal::Channel> channels = {};
  Eigen::MatrixXd samples = {};  ///< one row per time, one column per channel
  std::string title = {};
  std::optional<signal::TimeAxis> axis = {};  ///< what the file itself says
  std::string axis_problem = {};              ///< why it says nothing usable
};

/// The record: time axis by `options.step`, else the channel `options.time` (by its unit; s where
/// it has none), else the file's axis; then the channels of `options.channels`.
/// @throws DataError, or InvalidInput if options.step is not positive.
[[nodiscard]] signal::Record finished_record(RecordParts parts, const ReadOptions& options);

/// Whether `options.channels` and `options.time` are all among these channels.
[[nodiscard]] bool has_all_channels(const std::vector<signal::Channel>& channels,
                                    const ReadOptions& options);

/// The time axis of a column of times in s: uniform where all times are within 1e-6 of a step of an
/// even grid, or are one rounded to decimals, as axis_from_times; else as given.
/// @param resolution rounding of the stored times relative to the largest, added to that margin:
///   6e-8 for single precision.
/// @throws DataError naming `name` if the times do not increase.
[[nodiscard]] signal::TimeAxis axis_of_times(const Eigen::VectorXd& times, double resolution,
                                             const std::string& name, const Place& place);

/// The same, always as given.
[[nodiscard]] signal::TimeAxis given_axis(const Eigen::VectorXd& times, const std::string& name,
                                          const Place& place);

/// A uniform axis from a step found in a file. @throws DataError unless step > 0 and start is
/// finite.
[[nodiscard]] signal::TimeAxis axis_of_step(Eigen::Index samples, double step, double start,
                                            const std::string& name, const Place& place);

/// Whether a name means time: t, time, timestamp, Zeit, temps, tiempo or tempo in any case, with or
/// without a unit: "Time [s]", "t (s)", "time_s", "t_ms"; or a unit alone that nothing else has:
/// ms, us, seconds.
[[nodiscard]] bool is_time_name(std::string_view name);

/// The reason for a message that a name is not known: with the nearest or with the known ones.
[[nodiscard]] std::string unknown_name(std::string_view what, std::string_view name,
                                       const std::vector<std::string>& known);

/// Makes repeated names differ by a suffix: "a", "a_2", "a_3".
void make_unique(std::vector<std::string>& names);

}  // namespace alembert::io
