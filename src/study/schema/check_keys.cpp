#include "study/schema/check_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "alembert/core/text.hpp"
#include "core/mapped.hpp"
#include "study/schema/check_value.hpp"

namespace alembert::study {
namespace {

std::string heading(const std::string& path) {
  return path.empty() ? "the study" : "[" + path + "]";
}

std::string dotted(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

std::vector<std::string> names_of(const std::vector<KeySpec>& keys) {
  return mapped(keys, [](const KeySpec& key) { return key.name; });
}

/// Checks one table and those inside it.
class TableChecker {
 public:
  TableChecker(const Document& document, std::string task, std::vector<Problem>& problems)
      : document_(document), problems_(problems), task_(std::move(task)) {}

  void table(const Value& value, const TableSpec& spec, const std::string& path) {
    const std::vector<std::string> outer = std::exchange(unknown_, {});
    for (const Entry& item : *value.table()) {
      entry(item, value, spec, path);
    }
    const Variant* chosen = spec.variant(&value);
    required(value, spec.keys, path);
    for (const KeyRule& rule : spec.rules) {
      keep(rule, value, path);
    }
    if (chosen != nullptr) {
      required(value, chosen->keys, path);
      for (const KeyRule& rule : chosen->rules) {
        keep(rule, value, path);
      }
    }
    unknown_ = outer;
  }

 private:
  void fail(const Position& position, const std::string& message) {
    problems_.push_back({document_.place(position), message});
  }

  void entry(const Entry& item, const Value& parent, const TableSpec& spec,
             const std::string& path) {
    const KeySpec* key = spec.find(item.key, &parent);
    const std::string name = dotted(path, item.key);
    if (key == nullptr) {
      unknown(item, parent, spec, path);
    } else if (!is_for_task(*key)) {
      fail(item.position, fmt::format("{} has no place with [{}]; it is for [{}]", name, task_,
                                      join(key->tasks, "], [")));
    } else if (item.value.table() != nullptr && (key->forms & kTable) != 0) {
      table(item.value, *key->table, name);
    } else if (form_of(item.value, key->forms) == kTables && !item.value.array()->empty()) {
      each_table(*item.value.array(), *key->table, name);
    } else {
      check_value(document_, item.value, *key, name, problems_);
    }
  }

  void each_table(const Array& items, const TableSpec& spec, const std::string& path) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string name = item_name(path, i);
      if (items[i].table() != nullptr) {
        table(items[i], spec, name);
      } else {
        fail(items[i].position, name + " must be a table, not " + kind_name(items[i]));
      }
    }
  }

  // Without a task, which is reported elsewhere, nothing can be said.
  [[nodiscard]] bool is_for_task(const KeySpec& key) const {
    return task_.empty() || key.tasks.empty() ||
           std::find(key.tasks.begin(), key.tasks.end(), task_) != key.tasks.end();
  }

  // Monte Carlo needs what its simulation needs; its data come from there.
  [[nodiscard]] bool is_required_by_task(const KeySpec& key) const {
    return !task_.empty() && key.required_by == (task_ == "monte-carlo" ? "simulate" : task_);
  }

  void unknown(const Entry& item, const Value& parent, const TableSpec& spec,
               const std::string& path) {
    std::vector<std::string> known;
    for (const KeySpec& key : spec.keys) {
      if (is_for_task(key)) {
        known.push_back(key.name);
      }
    }
    const Variant* chosen = spec.variant(&parent);
    if (chosen != nullptr) {
      const std::vector<std::string> special = names_of(chosen->keys);
      known.insert(known.end(), special.begin(), special.end());
    } else if (!spec.tag.empty()) {
      return;  // The tag is missing or wrong, which is the problem to report.
    }
    unknown_.push_back(nearest(item.key, known));
    fail(item.position,
         fmt::format("unknown key \"{}\" in {}{}{}", item.key, heading(path),
                     other_variant(item.key, spec, chosen), suggestion(item.key, known)));
  }

  // A key that belongs to another kind deserves a hint.
  static std::string other_variant(const std::string& key, const TableSpec& spec,
                                   const Variant* chosen) {
    if (chosen == nullptr) {
      return "";
    }
    for (const Variant& variant : spec.variants) {
      const std::vector<std::string> names = names_of(variant.keys);
      if (std::find(names.begin(), names.end(), key) == names.end()) {
        continue;
      }
      return fmt::format(" with {} = \"{}\" (it belongs to \"{}\")", spec.tag, chosen->tag_value,
                         variant.tag_value);
    }
    return fmt::format(" with {} = \"{}\"", spec.tag, chosen->tag_value);
  }

  void required(const Value& value, const std::vector<KeySpec>& keys, const std::string& path) {
    for (const KeySpec& key : keys) {
      const bool needed = key.required || is_required_by_task(key);
      if (!needed || value.find(key.name) != nullptr) {
        continue;
      }
      // A misspelt key is reported once, as unknown.
      if (std::find(unknown_.begin(), unknown_.end(), key.name) != unknown_.end()) {
        continue;
      }
      const std::string what = key.forms == kTable && path.empty()
                                   ? fmt::format("the table [{}]", key.name)
                                   : fmt::format("the key \"{}\"", key.name);
      fail(value.position, fmt::format("{} needs {}: {}", heading(path), what, key.help));
    }
  }

  void keep(const KeyRule& rule, const Value& value, const std::string& path) {
    if (!rule.unless.empty() && value.find(rule.unless) != nullptr) {
      return;
    }
    std::vector<const Entry*> present;
    for (const std::string& key : rule.keys) {
      if (const Entry* found = value.find(key)) {
        present.push_back(found);
      }
    }
    const std::string names = join(rule.keys, ", ");
    using Kind = KeyRule::Kind;
    if (rule.kind == Kind::Needs) {
      if (value.find(rule.keys[0]) != nullptr && value.find(rule.keys[1]) == nullptr) {
        fail(value.find(rule.keys[0])->position,
             fmt::format("{} needs the key \"{}\" beside it", dotted(path, rule.keys[0]),
                         rule.keys[1]));
      }
    } else if (present.empty() && rule.kind != Kind::AtMostOne) {
      fail_unless_misspelt(rule, value, path);
    } else if (present.size() > 1 && rule.kind != Kind::AtLeastOne) {
      const auto last = std::max_element(present.begin(), present.end(), stands_before);
      fail((*last)->position, fmt::format("{} takes only one {} {}, got {}", heading(path),
                                          rule.what, names, listed(present)));
    }
  }

  void fail_unless_misspelt(const KeyRule& rule, const Value& value, const std::string& path) {
    for (const std::string& key : rule.keys) {
      if (std::find(unknown_.begin(), unknown_.end(), key) != unknown_.end()) {
        return;
      }
    }
    fail(value.position,
         fmt::format("{} needs {} {} {}", heading(path),
                     rule.kind == KeyRule::Kind::ExactlyOne ? "exactly one" : "at least one",
                     rule.what, join(rule.keys, ", ")));
  }

  static bool stands_before(const Entry* a, const Entry* b) {
    return std::tuple(a->position.source, a->position.line, a->position.column) <
           std::tuple(b->position.source, b->position.line, b->position.column);
  }

  static std::string listed(const std::vector<const Entry*>& entries) {
    return join(mapped(entries, [](const Entry* item) { return item->key; }), " and ");
  }

  const Document& document_;
  std::vector<Problem>& problems_;
  std::string task_;
  std::vector<std::string> unknown_;  ///< what the unknown keys of this table meant
};

}  // namespace

std::string item_name(const std::string& path, std::size_t index) {
  return fmt::format("{}[{}]", path, index + 1);
}

std::vector<Problem> check_keys(const Document& document, const TableSpec& root,
                                const std::string& task) {
  std::vector<Problem> problems;
  TableChecker(document, task, problems).table(document.root, root, "");
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
  });
  return problems;
}

}  // namespace alembert::study
