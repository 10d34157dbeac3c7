#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/signal/record.hpp"

namespace alembert::study {

/// What a column of a file may hold.
enum class ColumnKind {
  Displacement,
  Velocity,
  Acceleration,
  Angle,
  AngularRate,
  AngularAcceleration,
  Force,
  Torque,
  Signal,  ///< of an actuator: a voltage, a current, a command
  Unknown
};
constexpr auto enum_names(ColumnKind) {
  return std::to_array<EnumName<ColumnKind>>(
      {{ColumnKind::Displacement, "displacement"},
       {ColumnKind::Velocity, "velocity"},
       {ColumnKind::Acceleration, "acceleration"},
       {ColumnKind::Angle, "angle"},
       {ColumnKind::AngularRate, "angular rate"},
       {ColumnKind::AngularAcceleration, "angular acceleration"},
       {ColumnKind::Force, "force"},
       {ColumnKind::Torque, "torque"},
       {ColumnKind::Signal, "input signal"},
       {ColumnKind::Unknown, "not known"}});
}

/// A column and what its unit or, where it has none that tells, its name says of it.
struct ColumnGuess {
  std::string name;
  ColumnKind kind = ColumnKind::Unknown;
  std::string because = {};  ///< "unit N", "name"; "" where nothing tells

  /// Drives the motion: a force, a torque or the signal of an actuator.
  [[nodiscard]] bool drives() const {
    return kind == ColumnKind::Force || kind == ColumnKind::Torque || kind == ColumnKind::Signal;
  }
  /// Can be a motion: it is one, or nothing is known of it.
  [[nodiscard]] bool may_move() const { return !drives(); }
};

[[nodiscard]] ColumnGuess guess_column(const signal::Channel& channel);
[[nodiscard]] std::vector<ColumnGuess> guess_columns(const signal::Record& record);

/// The first column of the first of these kinds that any column has; nullptr if none has.
[[nodiscard]] const ColumnGuess* first_of(const std::vector<ColumnGuess>& columns,
                                          const std::vector<ColumnKind>& kinds);

/// What was guessed, for a comment that asks to confirm it.
[[nodiscard]] std::string guess_words(const std::vector<ColumnGuess>& columns);

/// The same in one breath, for messages: "F: force, a1: acceleration".
[[nodiscard]] std::string guess_list(const std::vector<ColumnGuess>& columns);

}  // namespace alembert::study
