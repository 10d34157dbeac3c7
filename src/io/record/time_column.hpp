#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>

#include "alembert/core/error.hpp"
#include "alembert/signal/record.hpp"

/// The time column of a file.
namespace alembert::io {

/// A step that somebody meant has no more digits than this.
inline constexpr int kStepDigits = 12;

/// The number rounded to so many significant decimal digits.
[[nodiscard]] double rounded_to(double value, int digits);

/// Seconds in one unit of time; "" counts as s. nullopt for what is no unit of time.
[[nodiscard]] std::optional<double> seconds_in(std::string_view unit);

/// Turns times in a unit of `seconds` seconds into seconds. A unit below 1 s divides by the exact
/// whole number, so that 5 ms become the double nearest to 0.005.
void scale_times(Eigen::Ref<Eigen::VectorXd> times, double seconds);

/// The unit at the end of a name with its underscore, "_ms" of "t_ms"; "" where there is none.
[[nodiscard]] std::string_view time_unit_suffix(std::string_view name);

/// The unit that the whole name is where nothing else has it, in small letters: ms, us, ns, sec,
/// seconds and their like; "" for other names.
[[nodiscard]] std::string clock_unit(std::string_view name);

/// The unit of a time channel: the stated one without brackets and without "since ..." behind it;
/// where none is stated the one in the name, "Time [ms]", "t(ms)", "t_ms", "tick_us", "ms"; else
/// "".
[[nodiscard]] std::string time_unit(std::string_view name, std::string_view unit);

/// Turns times in the unit of their channel into seconds.
/// @throws DataError naming unit and channel if the unit is no unit of time, or if none is stated
///   and the times begin 1000 years or more after 0: a count of ms, us or ns since 1970.
void convert_to_seconds(Eigen::Ref<Eigen::VectorXd> times, std::string_view name,
                        std::string_view unit, const Place& place);

/// The first k where times(k) is not finite or not above times(k - 1); -1 if there is none.
[[nodiscard]] Eigen::Index first_disorder(const Eigen::Ref<const Eigen::VectorXd>& times);

/// By how much times of a uniform axis may differ from start + k step: 1e-6 of a step for digits
/// that a file leaves out, and the rounding 4 eps |t| of a time stored as double.
[[nodiscard]] double uniform_tolerance(double step, double largest_time);

/// The axis of finite, strictly increasing times: uniform from t(0) on if a step explains all of
/// them within uniform_tolerance, or if they are a uniform axis rounded to decimals (see
/// step_of_rounded_times); else given. The step is the one with the fewest digits that fits as well
/// as (t(n-1) - t(0)) / (n - 1) does, so that times written with few digits give the step meant.
[[nodiscard]] signal::TimeAxis axis_from_times(Eigen::VectorXd times);

}  // namespace alembert::io
