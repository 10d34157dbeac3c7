#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alembert/core/error.hpp"
#include "study/schema/bound_field.hpp"
#include "study/schema/key_binding.hpp"

namespace alembert::study {

/// The field of a struct inside the options: field_of(&Options::gate, &GateOptions::probability).
template <typename... Members>
[[nodiscard]] auto field_of(Members... members) {
  return [members...](auto& options) -> auto& { return (options.*....*members); };
}

/// Keys of a table that are fields of an options struct: one line an option.
///
///   const BoundKeys<GateOptions>& gate_keys() {
///     static const auto keys =
///         BoundKeys<GateOptions>()
///             .key("probability", &GateOptions::probability,
///                  {.help = "that a good reading passes", .range = within(0.5, 1.0)})
///             .key("each-sensor", &GateOptions::each_output, {.help = "judge each sensor alone"});
///     return keys;
///   }
///
/// The form follows from the type of the field (number, integer, true or false, text, named enum,
/// lists of these, std::optional of these); choices from enum_names; the default from a
/// default-constructed struct, so that tool and library cannot differ.
template <typename Options>
class BoundKeys {
 public:
  /// @param defaults where the table has other defaults than the struct.
  explicit BoundKeys(Options defaults)
      : defaults_(std::make_shared<Options>(std::move(defaults))) {}
  BoundKeys() : defaults_(std::make_shared<Options>()) {}

  /// Binds a key to a field: a pointer to member, field_of() or a generic lambda
  /// `[](auto& options) -> auto& { return options.a.b; }`.
  template <typename Access>
  BoundKeys& key(std::string name, Access access, KeyAbout about) {
    using Field = FieldOf<Access>;
    static_assert(bound::kHasNames<Field>, "the enum needs enum_names beside it, or choice()");
    return bind(std::move(name), access, bound::names_of_field<Field>(), std::move(about));
  }

  /// The same for an enum whose values have other names in this table, or no names at all.
  template <typename Access, typename Enum>
  BoundKeys& choice(std::string name, Access access, std::vector<EnumName<Enum>> names,
                    KeyAbout about) {
    return bind(std::move(name), access, std::move(names), std::move(about));
  }

  template <typename Access, typename Enum, std::size_t Size>
  BoundKeys& choice(std::string name, Access access, const std::array<EnumName<Enum>, Size>& names,
                    KeyAbout about) {
    return bind(std::move(name), access, std::vector(names.begin(), names.end()), std::move(about));
  }

  /// A key of the table that is more than a field (a file, a name, a table); readers look at it.
  BoundKeys& other(KeySpec spec) {
    bindings_.push_back({.spec = std::move(spec)});
    return *this;
  }
  /// A key that leads to fields by a function: to several, or in other words than theirs.
  BoundKeys& through(KeySpec spec, std::function<void(const Value&, Options&)> set) {
    bindings_.push_back({.spec = std::move(spec)});
    bindings_.back().set = [set = std::move(set)](const Value& value, void* options) {
      set(value, *static_cast<Options*>(options));
    };
    return *this;
  }
  BoundKeys& others(std::vector<KeySpec> specs) {
    for (KeySpec& spec : specs) other(std::move(spec));
    return *this;
  }

  /// The key before it only has a place if another key, given or by default, has one of these
  /// values. Otherwise: `NAME has no place with KEY = "VALUE"`.
  BoundKeys& used_when(std::string key, std::vector<std::string> values) {
    bindings_.back().used_by_key = std::move(key);
    bindings_.back().used_values = std::move(values);
    return *this;
  }

  /// The same for a condition on the options. `rule` reads on from the name of the key, "has no
  /// place without a newmark scheme"; "{method}" in it stands for the text of the key method.
  BoundKeys& used_when(std::function<bool(const Options&)> condition, std::string rule) {
    bindings_.back().used = [condition = std::move(condition)](const void* options) {
      return condition(*static_cast<const Options*>(options));
    };
    bindings_.back().unused_rule = std::move(rule);
    return *this;
  }

  /// The descriptions of all keys, in the order of the lines.
  [[nodiscard]] std::vector<KeySpec> specs() const { return bindings::specs(bindings_); }

  /// Those of the keys that lead to a field.
  [[nodiscard]] std::vector<KeySpec> specs_of_fields() const {
    return bindings::specs_of_fields(bindings_);
  }

  [[nodiscard]] const Options& defaults() const { return *defaults_; }

  /// Reads the keys that are there into the fields; the others stay as they are. A text that was
  /// given up is noted.
  void read(const TableReader& table, Options& options,
            std::vector<std::string>* notes = nullptr) const {
    bindings::read(bindings_, table, &options, notes);
  }

  /// The defaults with the keys that are there.
  [[nodiscard]] Options read(const TableReader& table,
                             std::vector<std::string>* notes = nullptr) const {
    Options options = *defaults_;
    read(table, options, notes);
    return options;
  }

  /// The keys that are there and have no place, by used_when(), in the order of the lines.
  [[nodiscard]] std::vector<UnusedKey> unused(const TableReader& table,
                                              const Options& options) const {
    return bindings::unused(bindings_, table, &options);
  }

  /// @throws StudyError at the first key that has no place.
  void refuse_unused(const TableReader& table, const Options& options) const {
    bindings::refuse(table, unused(table, options));
  }

  /// The settings as key and value, for results. Left out: fields that are absent, empty or
  /// hold a number that a study could not give (an infinite bound, a count of 0 for "not set"),
  /// keys that have no place with these options, and old keys that another one replaces.
  [[nodiscard]] std::vector<std::pair<std::string, Value>> values(const Options& options) const {
    return bindings::values(bindings_, &options);
  }

  /// Throws what the library says of the options as a StudyError at the key of the argument, or at
  /// the table if no key is bound to it.
  [[noreturn]] void fail(const TableReader& table, const InvalidInput& error) const {
    bindings::fail(bindings_, table, error);
  }

 private:
  template <typename Access>
  using FieldOf = std::remove_cvref_t<std::invoke_result_t<const Access&, Options&>>;

  template <typename Access, typename Names>
  BoundKeys& bind(std::string name, Access access, Names names, KeyAbout about) {
    using Field = FieldOf<Access>;
    static_assert(bound::Bindable<Field>, "a key cannot be bound to a field of this type");
    std::vector<std::string> choices;
    for (const auto& one : names) choices.emplace_back(one.text);
    KeyBinding binding =
        bindings::made(std::move(name), bound::form_of_field<Field>(), std::move(choices),
                       bound::old_names_of_field<Field>(),
                       bound::value_of_field(std::as_const(std::invoke(access, *defaults_)), names),
                       std::move(about));
    binding.get = [access, names](const void* options) {
      return bound::value_of_field(std::invoke(access, *static_cast<const Options*>(options)),
                                   names);
    };
    binding.set = [access, names = std::move(names)](const Value& value, void* options) {
      std::invoke(access, *static_cast<Options*>(options)) = bound::field_from<Field>(value, names);
    };
    bindings_.push_back(std::move(binding));
    return *this;
  }

  std::shared_ptr<Options> defaults_;  // never changed after the constructor
  std::vector<KeyBinding> bindings_;
};

}  // namespace alembert::study
