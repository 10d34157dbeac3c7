#include "study/templates/column_guess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "alembert/core/printable.hpp"
#include "alembert/core/text.hpp"
#include "alembert/signal/units.hpp"
#include "core/mapped.hpp"

namespace alembert::study {
namespace {

struct KindUnit {
  ColumnKind kind;
  const char* unit;
};
constexpr std::array<KindUnit, 10> kUnitsOfKinds{{{ColumnKind::Displacement, "m"},
                                                  {ColumnKind::Velocity, "m/s"},
                                                  {ColumnKind::Acceleration, "m/s^2"},
                                                  {ColumnKind::Angle, "rad"},
                                                  {ColumnKind::AngularRate, "rad/s"},
                                                  {ColumnKind::AngularAcceleration, "rad/s^2"},
                                                  {ColumnKind::Force, "N"},
                                                  {ColumnKind::Torque, "N m"},
                                                  {ColumnKind::Signal, "V"},
                                                  {ColumnKind::Signal, "A"}}};

// Words of names, between blanks. A single letter counts only as the first word of a name.
struct KindWords {
  ColumnKind kind;
  std::string_view words, letters;
};
constexpr std::array<KindWords, 9> kWordsOfKinds{{
    {ColumnKind::AngularAcceleration, " thdd phidd angacc ", ""},
    {ColumnKind::AngularRate, " gyro gyr omega rpm rate thd phid ", " w "},
    {ColumnKind::Torque, " torque trq drehmoment moment tau ", ""},
    {ColumnKind::Force, " force kraft load loadcell hammer fx fy fz ", " f "},
    {ColumnKind::Acceleration,
     " acc accel acceleration accelerometer beschleunigung xdd ydd zdd qdd ddx ddy ddz ddq ax ay "
     "az ",
     " a "},
    {ColumnKind::Velocity, " vel velo velocity speed geschwindigkeit xd yd qd dx dy dq vx vy vz ",
     " v "},
    {ColumnKind::Angle, " enc encoder angle ang winkel theta phi psi th roll pitch yaw ", ""},
    {ColumnKind::Displacement,
     " disp displ displacement pos position weg laser lvdt auslenkung deflection ",
     " x y z q d s "},
    {ColumnKind::Signal, " voltage volt spannung current strom input cmd command pwm vir ",
     " u i "},
}};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_capital(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

// The words of a name, in small letters: "a1" is a, "uEst" is u, est, "Acc_X (left)" is acc, x,
// left, "FORCE" is force.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  bool open = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_letter(name[i])) {
      open = false;
      continue;
    }
    const bool hump = open && is_capital(name[i]) && !is_capital(name[i - 1]);
    if (!open || hump) words.emplace_back();
    words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
    open = true;
  }
  return words;
}

bool holds(std::string_view list, const std::string& word) {
  return list.find(fmt::format(" {} ", word)) != std::string_view::npos;
}

ColumnKind kind_of_unit(const std::string& unit) {
  for (const KindUnit& known : kUnitsOfKinds) {
    const signal::UnitRelation relation = signal::compare_units(unit, known.unit);
    if (relation == signal::UnitRelation::Same || relation == signal::UnitRelation::Convertible) {
      return known.kind;
    }
  }
  return ColumnKind::Unknown;
}

ColumnKind kind_of_name(const std::string& name) {
  const std::vector<std::string> words = words_of(name);
  for (const std::string& word : words) {
    for (const KindWords& known : kWordsOfKinds) {
      if (holds(known.words, word)) return known.kind;
    }
  }
  for (const KindWords& known : kWordsOfKinds) {
    if (!words.empty() && holds(known.letters, words.front())) return known.kind;
  }
  return ColumnKind::Unknown;
}

std::string shown(const std::string& text) { return printable(text); }

}  // namespace

ColumnGuess guess_column(const signal::Channel& channel) {
  if (!trimmed(channel.unit).empty()) {
    const ColumnKind by_unit = kind_of_unit(channel.unit);
    if (by_unit != ColumnKind::Unknown) {
      return {channel.name, by_unit, fmt::format("unit {}", shown(channel.unit))};
    }
  }
  const ColumnKind by_name = kind_of_name(channel.name);
  return {channel.name, by_name, by_name == ColumnKind::Unknown ? "" : "name"};
}

std::vector<ColumnGuess> guess_columns(const signal::Record& record) {
  return mapped(record.channels(), guess_column);
}

const ColumnGuess* first_of(const std::vector<ColumnGuess>& columns,
                            const std::vector<ColumnKind>& kinds) {
  for (const ColumnKind kind : kinds) {
    for (const ColumnGuess& column : columns) {
      if (column.kind == kind) return &column;
    }
  }
  return nullptr;
}

std::string guess_list(const std::vector<ColumnGuess>& columns) {
  constexpr std::size_t kMost = 12;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(kMost, columns.size()); ++i) {
    parts.push_back(fmt::format("{}: {}", shown(columns[i].name), name_of(columns[i].kind)));
  }
  return join(parts, ", ") + (columns.size() > kMost ? ", ..." : "");
}

std::string guess_words(const std::vector<ColumnGuess>& columns) {
  constexpr std::size_t kMost = 12;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(kMost, columns.size()); ++i) {
    const ColumnGuess& one = columns[i];
    const std::string because = one.because.empty() ? "" : fmt::format(" (by its {})", one.because);
    parts.push_back(fmt::format("{}: {}{}", shown(one.name), name_of(one.kind), because));
  }
  return "Guessed, please confirm: " + join(parts, "; ") +
         (columns.size() > kMost ? fmt::format("; {} more.", columns.size() - kMost) : ".");
}

}  // namespace alembert::study
