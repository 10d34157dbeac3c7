#include "study/schema/check_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/text.hpp"
#include "study/schema/check_keys.hpp"

namespace alembert::study {
namespace {

/// The context of one value, to keep the checks short.
struct Checker {
  const Document& document;
  const KeySpec& key;
  const std::string& name;
  std::vector<Problem>& problems;

  void fail(const Value& at, const std::string& message) const {
    problems.push_back({document.place(at.position), name + message});
  }

  // `part` is "" for a single number, ": entry 3" for one in a list.
  void number(const Value& value, const std::string& part) const {
    const double x = value.number();
    const std::string unit =
        key.unit.empty() || key.unit == "model" || key.unit == "input" || key.unit == "sensor"
            ? ""
            : " " + key.unit;
    if (!std::isfinite(x)) {
      fail(value, fmt::format("{} must be finite, got {}", part, shortest(x)));
    } else if (!key.range.contains(x)) {
      fail(value,
           fmt::format("{} must be {}{}, got {}", part, to_string(key.range), unit, shortest(x)));
    }
  }

  void numbers(const Array& items, const std::string& row) const {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string part = row.empty() ? fmt::format(": entry {}", i + 1)
                                           : fmt::format(": entry ({},{})", row, i + 1);
      if (items[i].is_number()) {
        number(items[i], part);
      } else {
        fail(items[i], fmt::format("{} must be a number, not {}", part, kind_name(items[i])));
      }
    }
  }

  void rows(const Array& items) const {
    const std::size_t columns = items.front().array()->size();
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Array* row = items[i].array();
      if (row == nullptr) {
        fail(items[i],
             fmt::format(": row {} must be a list of numbers, not {}", i + 1, kind_name(items[i])));
      } else if (row->size() != columns) {
        fail(items[i], fmt::format(": row {} must have {} entries like the first, got {}", i + 1,
                                   columns, row->size()));
      } else {
        numbers(*row, std::to_string(i + 1));
      }
    }
    if (columns == 0) {
      fail(items.front(), ": row 1 is empty");
    }
  }

  void texts(const Array& items) const {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i].text() == nullptr) {
        fail(items[i],
             fmt::format(": entry {} must be a text, not {}", i + 1, kind_name(items[i])));
      } else if (!key.choices.empty()) {
        text(items[i]);
      }
    }
  }

  void text(const Value& value) const {
    const std::string& word = key.todays_text(*value.text());
    const bool known = key.choices.empty() ||
                       std::find(key.choices.begin(), key.choices.end(), word) != key.choices.end();
    if (!known) {
      fail(value,
           fmt::format(" must be {}, got {}{}", what_is_known(), quoted_word(word), near(word)));
    } else if (word.empty()) {
      fail(value, " must not be empty");
    }
  }

  [[nodiscard]] std::string what_is_known() const {
    const std::string number = (key.forms & kNumber) != 0 ? "a number or " : "";
    if (key.choices.size() == 1) return number + quoted_word(key.choices.front());
    return number + "one of " + join(key.choices, ", ");
  }

  [[nodiscard]] std::string near(const std::string& word) const {
    const std::string best = nearest(word, key.choices);
    return best.empty() ? "" : fmt::format("; did you mean \"{}\"?", best);
  }

  static std::string quoted_word(const std::string& word) { return "\"" + word + "\""; }
};

unsigned list_form(const Array& items, unsigned forms) {
  if ((forms & kList) != 0) {
    return kList;
  }
  if (items.empty()) {
    return forms & (kNumbers | kTexts | kRows | kTables);
  }
  const Value& first = items.front();
  if (first.table() != nullptr) {
    return forms & kTables;
  }
  if (first.array() != nullptr) {
    return forms & kRows;
  }
  if (first.text() != nullptr) {
    return forms & kTexts;
  }
  if (first.is_number()) {
    return forms & kNumbers;
  }
  return 0;
}

}  // namespace

unsigned form_of(const Value& value, unsigned forms) {
  if (value.table() != nullptr) {
    return forms & kTable;
  }
  if (value.text() != nullptr) {
    return forms & kText;
  }
  if (std::holds_alternative<bool>(value.data)) {
    return forms & kBoolean;
  }
  if (const Array* items = value.array()) {
    return list_form(*items, forms);
  }
  if (std::holds_alternative<long long>(value.data) && (forms & kInteger) != 0) {
    return kInteger;
  }
  return value.is_number() ? forms & kNumber : 0;
}

void check_value(const Document& document, const Value& value, const KeySpec& key,
                 const std::string& name, std::vector<Problem>& problems) {
  const Checker checker{document, key, name, problems};
  const unsigned form = form_of(value, key.forms);
  const Array* items = value.array();
  if (form == 0) {
    checker.fail(value, " must be " + describe_forms(key.forms) + ", not " + kind_name(value));
    return;
  }
  if (items != nullptr && items->empty()) {
    checker.fail(value, " must not be empty");
  } else if (items != nullptr && key.size > 0 && items->size() != key.size) {
    checker.fail(value, fmt::format(" must hold {} numbers, got {}", key.size, items->size()));
  } else if (form == kNumbers) {
    checker.numbers(*items, "");
  } else if (form == kRows) {
    checker.rows(*items);
  } else if (form == kTexts) {
    checker.texts(*items);
  } else if (form == kText) {
    checker.text(value);
  } else if (form == kNumber || form == kInteger) {
    checker.number(value, "");
  }
}

}  // namespace alembert::study
