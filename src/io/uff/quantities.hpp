#pragma once

#include <array>
#include <string_view>

namespace alembert::io {

/// A quantity of universal files: its specific data type, SI unit and exponents of length and
/// force.
struct UffQuantity {
  int data_type;
  std::string_view label;
  std::string_view unit;
  int length_exponent;
  int force_exponent;
};

inline constexpr int kUffTimeResponse = 1;
inline constexpr int kUffTime = 17;

inline constexpr std::array<UffQuantity, 9> kUffQuantities{{{8, "Displacement", "m", 1, 0},
                                                            {11, "Velocity", "m/s", 1, 0},
                                                            {12, "Acceleration", "m/s^2", 1, 0},
                                                            {13, "Excitation force", "N", 0, 1},
                                                            {15, "Pressure", "Pa", -2, 1},
                                                            {2, "Stress", "Pa", -2, 1},
                                                            {9, "Reaction force", "N", 0, 1},
                                                            {16, "Mass", "kg", -1, 1},
                                                            {kUffTime, "Time", "s", 0, 0}}};

}  // namespace alembert::io
