#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/study/detail/keys.hpp"

/// Fields of options as values of a study: what form they have, how they are read and written.
namespace alembert::study::bound {

template <typename Field>
struct Optional : std::false_type {
  using Inner = Field;
};
template <typename Field>
struct Optional<std::optional<Field>> : std::true_type {
  using Inner = Field;
};

/// The type of the entries of a list; a text is none.
template <typename Field>
struct List : std::false_type {
  using Item = Field;
};
template <typename Item_>
struct List<std::vector<Item_>> : std::true_type {
  using Item = Item_;
};
template <int Size>
struct List<Eigen::Matrix<double, Size, 1>> : std::true_type {
  using Item = double;
};

/// A number, true or false, a text or a choice: an enum, or a small struct with names as one.
template <typename Field>
concept Single = std::is_arithmetic_v<Field> || std::same_as<Field, std::string> ||
    std::is_enum_v<Field> || NamedEnum<Field>;

/// A type that a key may be bound to: a single value, a list of such, or either that may be absent.
template <typename Field>
concept Bindable = Single<typename List<typename Optional<Field>::Inner>::Item>;

/// Whether the values of a field need no names, or have them beside their enum.
template <typename Field>
inline constexpr bool kHasNames =
    !std::is_enum_v<typename List<typename Optional<Field>::Inner>::Item> ||
    NamedEnum<typename List<typename Optional<Field>::Inner>::Item>;

template <typename Field>
[[nodiscard]] constexpr unsigned form_of_field() {
  if constexpr (Optional<Field>::value) {
    return form_of_field<typename Optional<Field>::Inner>();
  } else if constexpr (List<Field>::value) {
    return std::is_arithmetic_v<typename List<Field>::Item> ? kNumbers : kTexts;
  } else if constexpr (std::same_as<Field, bool>) {
    return kBoolean;
  } else if constexpr (std::is_arithmetic_v<Field>) {
    return std::is_integral_v<Field> ? kInteger : kNumber;
  } else {
    return kText;
  }
}

/// Names of the values of an enum field, as the enum has them; empty for other fields.
template <typename Field>
[[nodiscard]] auto names_of_field() {
  using Item = typename List<typename Optional<Field>::Inner>::Item;
  std::vector<EnumName<Item>> names;
  if constexpr (NamedEnum<Item>) {
    for (const EnumName<Item>& name : enum_names(Item{})) names.push_back(name);
  }
  return names;
}

/// The names that were given up.
template <typename Field>
[[nodiscard]] std::vector<OldChoice> old_names_of_field() {
  using Item = typename List<typename Optional<Field>::Inner>::Item;
  std::vector<OldChoice> names;
  if constexpr (NamedEnum<Item> && requires { old_enum_names(Item{}); }) {
    for (const EnumName<Item>& name : old_enum_names(Item{})) {
      names.push_back({std::string(name.text), std::string(name_of(name.value))});
    }
  }
  return names;
}

/// Reads a value of the right form, in which no text is one that was given up.
template <typename Field, typename Names>
[[nodiscard]] Field field_from(const Value& value, const Names& names) {
  if constexpr (Optional<Field>::value) {
    return field_from<typename Optional<Field>::Inner>(value, names);
  } else if constexpr (List<Field>::value) {
    // One value stands for a list of one.
    using Item = typename List<Field>::Item;
    const Array one = value.array() == nullptr ? Array{value} : *value.array();
    Field list(static_cast<decltype(Field{}.size())>(one.size()));
    std::fill(list.begin(), list.end(), Item{});
    auto slot = list.begin();
    for (const Value& item : one) *slot++ = field_from<Item>(item, names);
    return list;
  } else if constexpr (std::same_as<Field, bool>) {
    return std::get<bool>(value.data);
  } else if constexpr (std::is_integral_v<Field>) {
    return static_cast<Field>(std::get<long long>(value.data));
  } else if constexpr (std::is_arithmetic_v<Field>) {
    return static_cast<Field>(value.number());
  } else if constexpr (std::same_as<Field, std::string>) {
    return *value.text();
  } else {
    for (const auto& name : names) {
      if (name.text == *value.text()) return name.value;
    }
    return Field{};
  }
}

/// The value that the field has; none for one that is absent or empty.
template <typename Field, typename Names>
[[nodiscard]] std::optional<Value> value_of_field(const Field& field, const Names& names) {
  if constexpr (Optional<Field>::value) {
    return field ? value_of_field(*field, names) : std::nullopt;
  } else if constexpr (List<Field>::value) {
    Array list;
    for (const auto& item : field) list.push_back(*value_of_field(item, names));
    return list.empty() ? std::nullopt : std::optional(Value{std::move(list), {}});
  } else if constexpr (std::same_as<Field, bool>) {
    return Value{field, {}};
  } else if constexpr (std::is_integral_v<Field>) {
    return Value{static_cast<long long>(field), {}};
  } else if constexpr (std::is_arithmetic_v<Field>) {
    return Value{static_cast<double>(field), {}};
  } else if constexpr (std::same_as<Field, std::string>) {
    return field.empty() ? std::nullopt : std::optional(Value{field, {}});
  } else {
    for (const auto& name : names) {
      if (name.value == field) return Value{std::string(name.text), {}};
    }
    return std::nullopt;
  }
}

}  // namespace alembert::study::bound
