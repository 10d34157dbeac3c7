#include "alembert/signal/units.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace units_test {

using alembert::signal::base_units;
using alembert::signal::BaseQuantity;
using alembert::signal::compare_units;
using alembert::signal::compatible;
using alembert::signal::Conversion;
using alembert::signal::conversion;
using alembert::signal::parse_unit;
using alembert::signal::Unit;
using alembert::signal::UnitRelation;
using alembert::test::kEps;
using alembert::test::message_of;
using testing::HasSubstr;

constexpr double kPi = std::numbers::pi;

struct Case {
  const char* text;
  double factor;
  const char* base;
};

class KnownUnit : public testing::TestWithParam<Case> {};

// Factors are products of at most six rounded numbers.
TEST_P(KnownUnit, HasItsFactorAndDimension) {
  const std::optional<Unit> unit = parse_unit(GetParam().text);
  ASSERT_TRUE(unit);
  EXPECT_NEAR(unit->factor, GetParam().factor, 8 * kEps * GetParam().factor);
  EXPECT_EQ(base_units(*unit), GetParam().base);
  EXPECT_EQ(unit->offset, 0.0);
}

INSTANTIATE_TEST_SUITE_P(Lengths, KnownUnit,
                         testing::Values(Case{"m", 1.0, "m"}, Case{"mm", 1e-3, "m"},
                                         Case{"um", 1e-6, "m"}, Case{"\xC2\xB5m", 1e-6, "m"},
                                         Case{"\xCE\xBCm", 1e-6, "m"}, Case{"\xB5m", 1e-6, "m"},
                                         Case{"nm", 1e-9, "m"}, Case{"km", 1e3, "m"},
                                         Case{"dam", 10.0, "m"}, Case{"dm", 0.1, "m"},
                                         Case{"in", 0.0254, "m"}, Case{"ft", 0.3048, "m"},
                                         Case{"mil", 2.54e-5, "m"}, Case{"l", 1e-3, "m^3"}));

INSTANTIATE_TEST_SUITE_P(
    Motion, KnownUnit,
    testing::Values(
        Case{"m/s", 1.0, "m s^-1"}, Case{"km/h", 1.0 / 3.6, "m s^-1"},
        Case{"mph", 0.44704, "m s^-1"}, Case{"m/s^2", 1.0, "m s^-2"}, Case{"m/s2", 1.0, "m s^-2"},
        Case{"m/s**2", 1.0, "m s^-2"}, Case{"m/s/s", 1.0, "m s^-2"}, Case{"m s^-2", 1.0, "m s^-2"},
        Case{"m s-2", 1.0, "m s^-2"}, Case{"m*s^-2", 1.0, "m s^-2"}, Case{"m.s-2", 1.0, "m s^-2"},
        Case{"m\xC2\xB7s\xE2\x81\xBB\xC2\xB2", 1.0, "m s^-2"}, Case{"m/s\xC2\xB2", 1.0, "m s^-2"},
        Case{"m/s\xB2", 1.0, "m s^-2"}, Case{"m/(s^2)", 1.0, "m s^-2"},
        Case{"m/sec^2", 1.0, "m s^-2"}, Case{" [ m / s^2 ] ", 1.0, "m s^-2"},
        Case{"g", 9.80665, "m s^-2"}, Case{"mg", 9.80665e-3, "m s^-2"},
        Case{"in/s^2", 0.0254, "m s^-2"}, Case{"deg", kPi / 180.0, "rad"},
        Case{"\xC2\xB0", kPi / 180.0, "rad"}, Case{"mdeg", kPi / 180e3, "rad"},
        Case{"rad/s", 1.0, "s^-1 rad"}, Case{"\xC2\xB0/s", kPi / 180.0, "s^-1 rad"},
        Case{"rpm", kPi / 30.0, "s^-1 rad"}, Case{"rev/min", kPi / 30.0, "s^-1 rad"},
        Case{"arcsec", kPi / 648000.0, "rad"}));

INSTANTIATE_TEST_SUITE_P(
    Forces, KnownUnit,
    testing::Values(Case{"N", 1.0, "kg m s^-2"}, Case{"kN", 1e3, "kg m s^-2"},
                    Case{"lbf", 4.4482216152605, "kg m s^-2"}, Case{"kg*m/s^2", 1.0, "kg m s^-2"},
                    Case{"kgf", 9.80665, "kg m s^-2"}, Case{"Nm", 1.0, "kg m^2 s^-2"},
                    Case{"N-m", 1.0, "kg m^2 s^-2"}, Case{"N.m", 1.0, "kg m^2 s^-2"},
                    Case{"N m", 1.0, "kg m^2 s^-2"}, Case{"kN*mm", 1.0, "kg m^2 s^-2"},
                    Case{"N/m", 1.0, "kg s^-2"}, Case{"N/mm", 1e3, "kg s^-2"},
                    Case{"N*s/m", 1.0, "kg s^-1"}, Case{"Ns/m", 1.0, "kg s^-1"},
                    Case{"N/(m/s)", 1.0, "kg s^-1"}, Case{"Pa", 1.0, "kg m^-1 s^-2"},
                    Case{"MPa", 1e6, "kg m^-1 s^-2"}, Case{"N/mm^2", 1e6, "kg m^-1 s^-2"},
                    Case{"bar", 1e5, "kg m^-1 s^-2"},
                    Case{"psi", 6894.757293168361, "kg m^-1 s^-2"}, Case{"kg", 1.0, "kg"},
                    Case{"gram", 1e-3, "kg"}, Case{"t", 1e3, "kg"}));

// Literal factors of NIST SP 811, appendix B, with all digits of their definitions.
INSTANTIATE_TEST_SUITE_P(UnitedStates, KnownUnit,
                         testing::Values(Case{"slug", 14.593902937206364, "kg"},
                                         Case{"lb", 0.45359237, "kg"},
                                         Case{"lbs", 0.45359237, "kg"},
                                         Case{"lbm", 0.45359237, "kg"}, Case{"yd", 0.9144, "m"},
                                         Case{"mi", 1609.344, "m"},
                                         Case{"ksi", 6894757.293168361, "kg m^-1 s^-2"},
                                         Case{"slug*ft/s^2", 4.4482216152605, "kg m s^-2"},
                                         Case{"lbf*s^2/ft", 14.593902937206364, "kg"}));

INSTANTIATE_TEST_SUITE_P(
    Turns, KnownUnit,
    testing::Values(Case{"arcmin", 2.908882086657216e-4, "rad"}, Case{"rev", 2.0 * kPi, "rad"},
                    Case{"turn", 2.0 * kPi, "rad"}, Case{"dps", 0.017453292519943295, "s^-1 rad"},
                    Case{"h", 3600.0, "s"}, Case{"day", 86400.0, "s"},
                    Case{"kph", 1.0 / 3.6, "m s^-1"}, Case{"J", 1.0, "kg m^2 s^-2"},
                    Case{"Nmm", 1e-3, "kg m^2 s^-2"}, Case{"Ns", 1.0, "kg m s^-1"},
                    Case{"Nms", 1.0, "kg m^2 s^-1"}, Case{"ppm", 1e-6, "-"}));

INSTANTIATE_TEST_SUITE_P(
    Others, KnownUnit,
    testing::Values(
        Case{"s", 1.0, "s"}, Case{"ms", 1e-3, "s"}, Case{"min", 60.0, "s"},
        Case{"1/s", 1.0, "s^-1"}, Case{"Hz", 1.0, "s^-1"}, Case{"kHz", 1e3, "s^-1"},
        Case{"-", 1.0, "-"}, Case{"1", 1.0, "-"}, Case{"%", 1e-2, "-"}, Case{"um/m", 1e-6, "-"},
        Case{"ustrain", 1e-6, "-"}, Case{"\xC2\xB5\xCE\xB5", 1e-6, "-"},
        Case{"V", 1.0, "kg m^2 s^-3 A^-1"}, Case{"mV/g", 1e-3 / 9.80665, "kg m s^-1 A^-1"},
        Case{"pC/N", 1e-12, "kg^-1 m^-1 s^3 A"}, Case{"W", 1.0, "kg m^2 s^-3"},
        Case{"V*A", 1.0, "kg m^2 s^-3"}, Case{"ohm", 1.0, "kg m^2 s^-3 A^-2"},
        Case{"k\xCE\xA9", 1e3, "kg m^2 s^-3 A^-2"}, Case{"g^2/Hz", 9.80665 * 9.80665, "m^2 s^-3"},
        Case{"(m/s^2)^2/Hz", 1.0, "m^2 s^-3"}, Case{"m/s^2/sqrt(Hz)", 1.0, "m s^-1.5"},
        Case{"m/s^2/\xE2\x88\x9AHz", 1.0, "m s^-1.5"}, Case{"m/s^2/Hz^0.5", 1.0, "m s^-1.5"},
        Case{"m/s^2/Hz^(1/2)", 1.0, "m s^-1.5"}, Case{"1e-3 m", 1e-3, "m"}, Case{"0.5*m", 0.5, "m"},
        Case{"m^2", 1.0, "m^2"}, Case{"m2.s", 1.0, "m^2 s"}, Case{"K", 1.0, "K"},
        Case{"W/degC", 1.0, "kg m^2 s^-3 K^-1"}));

class UnknownUnit : public testing::TestWithParam<const char*> {};

TEST_P(UnknownUnit, IsReportedAsUnknown) { EXPECT_FALSE(parse_unit(GetParam())); }

INSTANTIATE_TEST_SUITE_P(Texts, UnknownUnit,
                         testing::Values("", "  ", "[]", "furlong", "dB", "counts", "m/", "/s",
                                         "*m", "m**", "m^", "m^x", "(m", "m)", "m//s",
                                         "m/s^2 extra stuff", "mkg", "kkm", "0", "m/0", "m^(1/0)",
                                         "m--2", "m -", "km^400", "mm^400", "\xFF\xFE", "m\xE2",
                                         "sqrt", "sqrt(", "^2", "1e999 m", "M", "k", "mmin",
                                         "mol"));

TEST(ParseUnit, LongAndDeepTextsAreUnknown) {
  EXPECT_FALSE(parse_unit(std::string(100000, '(')));
  EXPECT_FALSE(parse_unit(std::string(99, '(')));
  EXPECT_FALSE(parse_unit(std::string(100000, 'm')));
}

// Any text ends in a unit with a usable factor or in nothing; the sanitizers watch.
TEST(ParseUnit, SurvivesRandomTexts) {
  std::mt19937_64 engine(3);
  const std::string letters = "mskNg/*^()-.12 \xC2\xB5\xB2%rtqHz+[]e";
  std::uniform_int_distribution<std::size_t> letter(0, letters.size() - 1);
  std::uniform_int_distribution<std::size_t> length(0, 14);
  int known = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text;
    for (std::size_t i = length(engine); i > 0; --i) {
      text += letters[letter(engine)];
    }
    if (const std::optional<Unit> unit = parse_unit(text)) {
      EXPECT_TRUE(std::isfinite(unit->factor) && unit->factor > 0.0) << text;
      ++known;
    }
  }
  EXPECT_GT(known, 100);
}

TEST(ParseUnit, QuotientsGoFromLeftToRight) {
  EXPECT_EQ(base_units(*parse_unit("m/s*kg")), "kg m s^-1");
  EXPECT_EQ(base_units(*parse_unit("m/(s*kg)")), "kg^-1 m s^-1");
  EXPECT_EQ(base_units(*parse_unit("m/s kg")), "kg m s^-1");
}

TEST(ParseUnit, OrderOfExponentsIsThatOfTheQuantities) {
  const Unit newton = *parse_unit("N");
  EXPECT_EQ(newton.exponents[static_cast<std::size_t>(BaseQuantity::Length)], 1.0);
  EXPECT_EQ(newton.exponents[static_cast<std::size_t>(BaseQuantity::Mass)], 1.0);
  EXPECT_EQ(newton.exponents[static_cast<std::size_t>(BaseQuantity::Time)], -2.0);
  EXPECT_EQ(parse_unit("rad")->exponents[static_cast<std::size_t>(BaseQuantity::Angle)], 1.0);
  EXPECT_EQ(parse_unit("A")->exponents[static_cast<std::size_t>(BaseQuantity::Current)], 1.0);
  EXPECT_EQ(parse_unit("K")->exponents[static_cast<std::size_t>(BaseQuantity::Temperature)], 1.0);
}

TEST(CompareUnits, TellsMixUpsApart) {
  EXPECT_EQ(compare_units("mm", "m"), UnitRelation::Convertible);
  EXPECT_EQ(compare_units("g", "m/s^2"), UnitRelation::Convertible);
  EXPECT_EQ(compare_units("deg", "rad"), UnitRelation::Convertible);
  EXPECT_EQ(compare_units("m/s^2", "m/s2"), UnitRelation::Same);
  EXPECT_EQ(compare_units("N/mm", "kN/m"), UnitRelation::Same);
  EXPECT_EQ(compare_units("mm", "N"), UnitRelation::Incompatible);
  EXPECT_EQ(compare_units("m/s", "m/s^2"), UnitRelation::Incompatible);
  EXPECT_EQ(compare_units("degC", "K"), UnitRelation::Convertible);
  EXPECT_EQ(compare_units("", "m"), UnitRelation::Unknown);
  EXPECT_EQ(compare_units("m", "smoots"), UnitRelation::Unknown);
}

// 1 Hz is 2π rad/s: a factor 1 between them would be the very mix-up to catch.
TEST(CompareUnits, FrequencyIsNotAngularSpeed) {
  EXPECT_EQ(compare_units("Hz", "rad/s"), UnitRelation::Incompatible);
  EXPECT_EQ(compare_units("Hz", "1/s"), UnitRelation::Same);
}

TEST(Conversion, ConvertsValues) {
  EXPECT_NEAR(conversion("mm", "m")(250.0), 0.25, 2 * kEps);
  EXPECT_NEAR(conversion("g", "m/s^2")(2.0), 19.6133, 4 * kEps * 20.0);
  EXPECT_NEAR(conversion("rpm", "rad/s")(60.0), 2.0 * kPi, 8 * kEps * 7.0);
  EXPECT_NEAR(conversion("km/h", "m/s")(36.0), 10.0, 8 * kEps * 10.0);
  // Offsets near 273 K: a few roundings of that size.
  EXPECT_NEAR(conversion("degC", "K")(20.0), 293.15, 4 * kEps * 293.0);
  EXPECT_NEAR(conversion("degF", "degC")(212.0), 100.0, 8 * kEps * 300.0);
  EXPECT_NEAR(conversion("degC", "degF")(-40.0), -40.0, 8 * kEps * 500.0);
}

// Property: there and back changes nothing but the last digits.
TEST(Conversion, ThereAndBackIsTheIdentity) {
  const std::pair<const char*, const char*> pairs[] = {
      {"in", "mm"}, {"psi", "MPa"}, {"degF", "K"}, {"deg/s", "rpm"}, {"lbf", "kN"}};
  for (const auto& [a, b] : pairs) {
    for (const double value : {-3.5, 0.0, 1e-3, 812.0}) {
      // 500 covers the offset of degF.
      EXPECT_NEAR(conversion(b, a)(conversion(a, b)(value)), value,
                  16 * kEps * (500.0 + std::abs(value)));
    }
  }
}

TEST(Conversion, RejectsWhatCannotBeConverted) {
  EXPECT_THAT(message_of([] { (void)conversion("mm", "N"); }),
              HasSubstr("conversion: units must measure the same quantity, got 'mm' and 'N'"));
  EXPECT_THAT(message_of([] { (void)conversion("smoot", "m"); }),
              HasSubstr("unit must be a known one, got 'smoot'"));
  EXPECT_THAT(message_of([] { (void)conversion(*parse_unit("mm"), *parse_unit("N")); }),
              HasSubstr("got 'm' and 'kg m s^-2'"));
  EXPECT_TRUE(compatible(*parse_unit("mm"), *parse_unit("km")));
}

}  // namespace units_test
