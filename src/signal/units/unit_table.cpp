#include "signal/units/unit_table.hpp"

#include <array>
#include <numbers>

#include "signal/units/constants.hpp"

namespace alembert::signal {

namespace {

constexpr double kGravity = 9.80665;       // m/s², standard gravity (exact by definition)
constexpr double kInch = 0.0254;           // m (exact by definition)
constexpr double kPound = 0.45359237;      // kg (exact by definition)
constexpr double kFahrenheit = 5.0 / 9.0;  // K
constexpr double kIcePoint = 273.15;       // K

constexpr std::array<double, 6> kDimensionless{0, 0, 0, 0, 0, 0};
constexpr std::array<double, 6> kLength{1, 0, 0, 0, 0, 0};
constexpr std::array<double, 6> kMass{0, 1, 0, 0, 0, 0};
constexpr std::array<double, 6> kTime{0, 0, 1, 0, 0, 0};
constexpr std::array<double, 6> kAngle{0, 0, 0, 0, 0, 1};
constexpr std::array<double, 6> kTemperature{0, 0, 0, 0, 1, 0};
constexpr std::array<double, 6> kSpeed{1, 0, -1, 0, 0, 0};
constexpr std::array<double, 6> kAcceleration{1, 0, -2, 0, 0, 0};
constexpr std::array<double, 6> kAngularSpeed{0, 0, -1, 0, 0, 1};
constexpr std::array<double, 6> kFrequency{0, 0, -1, 0, 0, 0};
constexpr std::array<double, 6> kForce{1, 1, -2, 0, 0, 0};
constexpr std::array<double, 6> kImpulse{1, 1, -1, 0, 0, 0};
constexpr std::array<double, 6> kEnergy{2, 1, -2, 0, 0, 0};
constexpr std::array<double, 6> kPressure{-1, 1, -2, 0, 0, 0};
constexpr std::array<double, 6> kVolume{3, 0, 0, 0, 0, 0};

struct Entry {
  std::string_view symbol;
  Unit unit;
  bool prefixes;  // metric prefixes may stand before it
};

// Exact symbols win over prefix + symbol: "min" is the minute, "kg" the kilogram.
constexpr Entry kTable[] = {
    {"m", {1.0, 0.0, kLength}, true},
    {"meter", {1.0, 0.0, kLength}, false},
    {"metre", {1.0, 0.0, kLength}, false},
    {"in", {kInch, 0.0, kLength}, false},
    {"inch", {kInch, 0.0, kLength}, false},
    {"mil", {kInch / 1000.0, 0.0, kLength}, false},
    {"ft", {12.0 * kInch, 0.0, kLength}, false},
    {"yd", {36.0 * kInch, 0.0, kLength}, false},
    {"mi", {63360.0 * kInch, 0.0, kLength}, false},
    {"l", {1e-3, 0.0, kVolume}, true},
    {"L", {1e-3, 0.0, kVolume}, true},
    {"kg", {1.0, 0.0, kMass}, false},
    {"gram", {1e-3, 0.0, kMass}, true},
    {"t", {1000.0, 0.0, kMass}, false},
    {"lb", {kPound, 0.0, kMass}, false},
    {"lbs", {kPound, 0.0, kMass}, false},
    {"lbm", {kPound, 0.0, kMass}, false},
    {"slug", {kPound * kGravity / (12.0 * kInch), 0.0, kMass}, false},
    {"s", {1.0, 0.0, kTime}, true},
    {"sec", {1.0, 0.0, kTime}, true},
    {"second", {1.0, 0.0, kTime}, false},
    {"min", {60.0, 0.0, kTime}, false},
    {"h", {3600.0, 0.0, kTime}, false},
    {"hr", {3600.0, 0.0, kTime}, false},
    {"day", {86400.0, 0.0, kTime}, false},
    {"Hz", {1.0, 0.0, kFrequency}, true},
    {"hertz", {1.0, 0.0, kFrequency}, false},
    {"rad", {1.0, 0.0, kAngle}, true},
    {"radian", {1.0, 0.0, kAngle}, false},
    {"radians", {1.0, 0.0, kAngle}, false},
    {"deg", {kPi / 180.0, 0.0, kAngle}, true},
    {"degree", {kPi / 180.0, 0.0, kAngle}, false},
    {"degrees", {kPi / 180.0, 0.0, kAngle}, false},
    {"arcmin", {kPi / 10800.0, 0.0, kAngle}, false},
    {"arcsec", {kPi / 648000.0, 0.0, kAngle}, false},
    {"rev", {2.0 * kPi, 0.0, kAngle}, false},
    {"turn", {2.0 * kPi, 0.0, kAngle}, false},
    {"rpm", {2.0 * kPi / 60.0, 0.0, kAngularSpeed}, false},
    {"dps", {kPi / 180.0, 0.0, kAngularSpeed}, false},
    {"mph", {63360.0 * kInch / 3600.0, 0.0, kSpeed}, false},
    {"kph", {1.0 / 3.6, 0.0, kSpeed}, false},
    {"g", {kGravity, 0.0, kAcceleration}, true},
    {"gn", {kGravity, 0.0, kAcceleration}, false},
    {"N", {1.0, 0.0, kForce}, true},
    {"newton", {1.0, 0.0, kForce}, false},
    {"kgf", {kGravity, 0.0, kForce}, false},
    {"lbf", {kPound * kGravity, 0.0, kForce}, false},
    {"Nm", {1.0, 0.0, kEnergy}, true},
    {"Nmm", {1e-3, 0.0, kEnergy}, false},
    {"Ns", {1.0, 0.0, kImpulse}, true},
    {"Nms", {1.0, 0.0, {2, 1, -1, 0, 0, 0}}, true},
    {"J", {1.0, 0.0, kEnergy}, true},
    {"W", {1.0, 0.0, {2, 1, -3, 0, 0, 0}}, true},
    {"Pa", {1.0, 0.0, kPressure}, true},
    {"pascal", {1.0, 0.0, kPressure}, false},
    {"bar", {1e5, 0.0, kPressure}, true},
    {"psi", {kPound * kGravity / (kInch * kInch), 0.0, kPressure}, false},
    {"ksi", {1000.0 * kPound * kGravity / (kInch * kInch), 0.0, kPressure}, false},
    {"A", {1.0, 0.0, {0, 0, 0, 1, 0, 0}}, true},
    {"V", {1.0, 0.0, {2, 1, -3, -1, 0, 0}}, true},
    {"volt", {1.0, 0.0, {2, 1, -3, -1, 0, 0}}, false},
    {"C", {1.0, 0.0, {0, 0, 1, 1, 0, 0}}, true},
    {"F", {1.0, 0.0, {-2, -1, 4, 2, 0, 0}}, true},
    {"H", {1.0, 0.0, {2, 1, -2, -2, 0, 0}}, true},
    {"T", {1.0, 0.0, {0, 1, -2, -1, 0, 0}}, true},
    {"ohm", {1.0, 0.0, {2, 1, -3, -2, 0, 0}}, true},
    {"Ohm", {1.0, 0.0, {2, 1, -3, -2, 0, 0}}, true},
    {"K", {1.0, 0.0, kTemperature}, true},
    {"degC", {1.0, kIcePoint, kTemperature}, false},
    {"degF", {kFahrenheit, kIcePoint - 32.0 * kFahrenheit, kTemperature}, false},
    {"strain", {1.0, 0.0, kDimensionless}, true},
    {"microstrain", {1e-6, 0.0, kDimensionless}, false},
    {"%", {1e-2, 0.0, kDimensionless}, false},
    {"percent", {1e-2, 0.0, kDimensionless}, false},
    {"ppm", {1e-6, 0.0, kDimensionless}, false},
};

struct Prefix {
  std::string_view symbol;
  double factor;
};
constexpr Prefix kPrefixes[] = {{"f", 1e-15}, {"p", 1e-12}, {"n", 1e-9}, {"u", 1e-6}, {"m", 1e-3},
                                {"c", 1e-2},  {"da", 10.0}, {"d", 1e-1}, {"h", 1e2},  {"k", 1e3},
                                {"M", 1e6},   {"G", 1e9},   {"T", 1e12}};

struct Spelling {
  std::string_view from;
  std::string_view to;
};
// Longer spellings before their beginnings. Written as bytes, so that the source is ASCII.
constexpr Spelling kSpellings[] = {
    {"\xC2\xB0"
     "C",
     "degC"},  // degree sign, C
    {"\xC2\xB0"
     "F",
     "degF"},                  // degree sign, F
    {"\xC2\xB0", "deg"},       // degree sign
    {"\xC2\xB5", "u"},         // micro sign
    {"\xCE\xBC", "u"},         // Greek mu
    {"\xCE\xB5", "strain"},    // Greek epsilon
    {"\xCE\xA9", "ohm"},       // Greek Omega
    {"\xE2\x84\xA6", "ohm"},   // ohm sign
    {"\xC2\xB7", "*"},         // middle dot
    {"\xE2\x8B\x85", "*"},     // dot operator
    {"\xE2\x88\x99", "*"},     // bullet operator
    {"\xC3\x97", "*"},         // multiplication sign
    {"\xE2\x88\x92", "-"},     // minus sign
    {"\xE2\x88\x9A", "sqrt"},  // square root
    {"\xC2\xA0", " "},         // no-break space
    {"\xB0"
     "C",
     "degC"},  // Latin-1 from here on
    {"\xB0"
     "F",
     "degF"},
    {"\xB0", "deg"},
    {"\xB5", "u"},
    {"\xB7", "*"},
    {"\xD7", "*"},
};
constexpr Spelling kSuperscripts[] = {
    {"\xE2\x81\xB0", "0"}, {"\xC2\xB9", "1"},     {"\xC2\xB2", "2"},     {"\xC2\xB3", "3"},
    {"\xE2\x81\xB4", "4"}, {"\xE2\x81\xB5", "5"}, {"\xE2\x81\xB6", "6"}, {"\xE2\x81\xB7", "7"},
    {"\xE2\x81\xB8", "8"}, {"\xE2\x81\xB9", "9"}, {"\xE2\x81\xBB", "-"}, {"\xB9", "1"},
    {"\xB2", "2"},         {"\xB3", "3"},
};

template <typename Spellings>
const Spelling* spelling_at(const Spellings& spellings, std::string_view text) {
  for (const Spelling& spelling : spellings) {
    if (text.substr(0, spelling.from.size()) == spelling.from) {
      return &spelling;
    }
  }
  return nullptr;
}

const Entry* find_entry(std::string_view symbol) {
  for (const Entry& entry : kTable) {
    if (entry.symbol == symbol) {
      return &entry;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<Unit> find_symbol(std::string_view symbol) {
  if (const Entry* entry = find_entry(symbol)) {
    return entry->unit;
  }
  for (const Prefix& prefix : kPrefixes) {
    if (symbol.substr(0, prefix.symbol.size()) != prefix.symbol) {
      continue;
    }
    const Entry* entry = find_entry(symbol.substr(prefix.symbol.size()));
    if (entry != nullptr && entry->prefixes) {
      Unit unit = entry->unit;
      unit.factor *= prefix.factor;
      return unit;
    }
  }
  return std::nullopt;
}

std::string to_ascii(std::string_view text) {
  std::string ascii;
  bool raised = false;
  while (!text.empty()) {
    if (const Spelling* digit = spelling_at(kSuperscripts, text)) {
      ascii += raised ? "" : "^";
      raised = true;
      ascii += digit->to;
      text.remove_prefix(digit->from.size());
      continue;
    }
    raised = false;
    const Spelling* spelling = spelling_at(kSpellings, text);
    ascii += spelling != nullptr ? spelling->to : text.substr(0, 1);
    text.remove_prefix(spelling != nullptr ? spelling->from.size() : 1);
  }
  return ascii;
}

}  // namespace alembert::signal
