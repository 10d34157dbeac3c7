#pragma once

#include <limits>
#include <string>
#include <vector>

#include "alembert/study/detail/value.hpp"

/// The keys of a study, as data: one description drives checking, help, documents and templates.
/// The tables of a task are its own; its registration names them.
namespace alembert::study {

struct TableSpec;

/// The forms a value may take; combined with |.
inline constexpr unsigned kText = 1;
inline constexpr unsigned kNumber = 2;  ///< integer or not, finite
inline constexpr unsigned kInteger = 4;
inline constexpr unsigned kBoolean = 8;
inline constexpr unsigned kNumbers = 16;  ///< list of numbers
inline constexpr unsigned kTexts = 32;    ///< list of texts
inline constexpr unsigned kRows = 64;     ///< list of lists of numbers of one length: a matrix
inline constexpr unsigned kTable = 128;   ///< KeySpec::table says what is in it
inline constexpr unsigned kList = 256;    ///< list of values of any kind
inline constexpr unsigned kTables = 512;  ///< list of tables; KeySpec::table says what is in each

/// The range of a number, or of each number in a list.
struct Range {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = false;  ///< lower itself is not allowed

  [[nodiscard]] bool contains(double value) const;
  [[nodiscard]] bool is_bounded() const;
};
[[nodiscard]] Range above(double lower);
[[nodiscard]] Range at_least(double lower);
[[nodiscard]] Range within(double lower, double upper);
/// "above 0", "at least 1", "from 1 to 32", ...
[[nodiscard]] std::string to_string(const Range& range);

/// A text that a key took once, and the one that says the same today.
struct OldChoice {
  std::string old_text;
  std::string text;
};

/// One key of a table. Tables that several tasks share ([data], [model]) hold the keys of all; each
/// key says which tasks take it.
struct KeySpec {
  std::string name;
  unsigned forms = kText;
  std::string help;       ///< one line, no full stop
  std::string unit = {};  ///< of the number or numbers
  Range range = {};
  std::size_t size = 0;                     ///< how many numbers a list must hold; 0: any
  std::vector<std::string> choices = {};    ///< the allowed texts; empty: any
  std::vector<OldChoice> old_choices = {};  ///< texts that were given up and are still read
  std::string fallback = {};                ///< default as TOML text; "": none
  std::string fallback_note = {};  ///< the default in words, where it depends on other things
  bool required = false;
  std::string required_by = {};         ///< the one task that cannot do without it; "": none
  std::vector<std::string> tasks = {};  ///< the tasks that take it; empty: all
  const TableSpec* table = nullptr;     ///< for kTable and kTables
  /// The key that took its place: this one is still read, but not listed. "": it is of today.
  std::string now_called = {};

  /// The text that says today what `text` says: the same unless it was given up.
  [[nodiscard]] const std::string& todays_text(const std::string& text) const;
};

/// A rule on which keys stand together.
struct KeyRule {
  enum class Kind {
    ExactlyOne,
    AtLeastOne,
    AtMostOne,
    Needs  ///< the first key needs the second
  } kind = Kind::AtMostOne;
  std::vector<std::string> keys;
  std::string what = "of the keys";  ///< for the message: "needs exactly one of the keys a, b"
  std::string unless = {};           ///< beside this key the rule does not hold
};

/// Keys that only hold for one value of the table's tag, such as kind = "multisine".
struct Variant {
  std::string tag_value;
  std::string help;
  std::vector<KeySpec> keys;
  std::vector<KeyRule> rules = {};
};

/// A table of the study.
struct TableSpec {
  std::string path;  ///< "simulate.inputs", for headings; names of the user's choice are NAME
  std::string help;
  std::vector<KeySpec> keys = {};
  std::vector<KeyRule> rules = {};
  std::string tag = {};  ///< the key that chooses among variants
  std::vector<Variant> variants = {};
  const KeySpec* any_name = nullptr;  ///< names of the user's choice, each with this value
  std::string model = {};  ///< the kind of model that the table is for, where there are several

  /// The key that holds in this table, whose tag may choose it; nullptr when there is none.
  [[nodiscard]] const KeySpec* find(const std::string& key, const Value* table) const;
  /// The variant that the table's tag chooses, or nullptr.
  [[nodiscard]] const Variant* variant(const Value* table) const;
};

/// All tables of all tasks in reading order, the root first, each once; those for equations, for
/// acceleration and for mechanisms last.
[[nodiscard]] std::vector<const TableSpec*> all_tables();

/// The forms in words: "a number, rows of numbers or a table".
[[nodiscard]] std::string describe_forms(unsigned forms);

}  // namespace alembert::study
