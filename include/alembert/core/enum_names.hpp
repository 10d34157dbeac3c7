#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Names of enum values, declared once beside the enum:
///
///   enum class Solver { NelderMead, Mads };
///   constexpr auto enum_names(Solver) {
///     return std::to_array<EnumName<Solver>>({{Solver::NelderMead, "nelder-mead"},
///                                             {Solver::Mads, "mads"}});
///   }
///
/// Reading, choices of keys, help and results all take them from there.
namespace alembert {

/// A value and the name that studies and results use.
template <typename Enum>
struct EnumName {
  Enum value;
  std::string_view text;
};

/// An enum with a function enum_names beside it.
template <typename Enum>
concept NamedEnum = requires(Enum value) {
  enum_names(value).size();
};

/// The name of a value; "?" for a number that is no value of the enum.
template <NamedEnum Enum>
[[nodiscard]] constexpr std::string_view name_of(Enum value) {
  for (const EnumName<Enum>& name : enum_names(value)) {
    if (name.value == value) return name.text;
  }
  return "?";
}

/// The value of a name. Names that were given up are known by a function old_enum_names beside the
/// enum, of the same form.
template <NamedEnum Enum>
[[nodiscard]] constexpr std::optional<Enum> enum_named(std::string_view text) {
  for (const EnumName<Enum>& name : enum_names(Enum{})) {
    if (name.text == text) return name.value;
  }
  if constexpr (requires { old_enum_names(Enum{}); }) {
    for (const EnumName<Enum>& name : old_enum_names(Enum{})) {
      if (name.text == text) return name.value;
    }
  }
  return std::nullopt;
}

/// All names, in the order of their declaration.
template <NamedEnum Enum>
[[nodiscard]] std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const EnumName<Enum>& name : enum_names(Enum{})) names.emplace_back(name.text);
  return names;
}

}  // namespace alembert
