#include "alembert/io/uff.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "support/data.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "support/records.hpp"
#include "unit/io/uff/uff_sample.hpp"

namespace alembert::io {
namespace uff_test {

using test::data_error_of;
using test::message_of;
using testing::HasSubstr;

using Sample = test::UffSample;

UffFunction only(const std::string& text) {
  const UffContent content = parse_uff(text, "a.uff");
  EXPECT_EQ(content.functions.size(), 1U);
  return content.functions.at(0);
}

TEST(UffParse, ReadsEveryHeaderField) {
  const UffFunction f = only(Sample{}.text());
  EXPECT_EQ(f.id[0], "Point 1");
  EXPECT_EQ(f.id[2], "01-Jan-24 12:00:00");
  EXPECT_EQ(f.type, 1);
  EXPECT_EQ(f.number, 3);
  EXPECT_EQ(f.version, 2);
  EXPECT_EQ(f.response_name, "wing");
  EXPECT_EQ(f.response_node, 12);
  EXPECT_EQ(f.response_direction, -2);
  EXPECT_EQ(f.reference_name, "NONE");
  EXPECT_TRUE(f.single_precision);
  EXPECT_EQ(f.start, 0.5);
  EXPECT_EQ(f.step, 0.25);
  EXPECT_EQ(f.ordinate, (UffAxis{12, 1, 0, 0, "Acceleration", "m/s^2"}));
  EXPECT_EQ(f.real, Eigen::Vector2d(1.5, -2.5));
  EXPECT_EQ(f.abscissae(), Eigen::Vector2d(0.5, 0.75));
  EXPECT_FALSE(f.is_complex());
  EXPECT_EQ(f.place.line, 2U);
}

TEST(UffParse, ReadsComplexUnevenAndFortranNumbers) {
  Sample sample;
  sample.form = "         6         2         0  0.00000E+00  0.00000E+00  0.00000E+00\n";
  // Columns full to the brim, exponents with D, with three digits and without a letter.
  sample.values =
      "  1.00000E+00  1.000000000000D+00 -2.000000000000D-01\n"
      "  2.00000E+00-1.250000000000-101              +.5E1\n";
  const UffFunction f = only(sample.text());
  EXPECT_EQ(f.x, Eigen::Vector2d(1.0, 2.0));
  EXPECT_EQ(f.real, Eigen::Vector2d(1.0, -1.25e-101));
  EXPECT_EQ(f.imaginary, Eigen::Vector2d(-0.2, 5.0));
  EXPECT_EQ(f.complex_values()(0), std::complex<double>(1.0, -0.2));
}

TEST(UffParse, SkipsOtherDatasetsAndNotesUnits) {
  const std::string units =
      "    -1\n   164\n         2Foot (pound f)               2\n"
      "  3.28083989501312334D+00  2.24808943099710480D-01  1.79999999999999999D+00\n"
      "  4.59670000000000002D+02\n    -1\n";
  const std::string nodes =
      "    -1   \n    15\n         1         0         0         8\n    -1\n\n";
  const UffContent content = parse_uff(Sample{}.text() + units + nodes + Sample{}.text(), "a.uff");
  EXPECT_EQ(content.datasets, (std::vector<int>{58, 164, 15, 58}));
  EXPECT_EQ(content.functions[0].units, UffUnits{});
  EXPECT_EQ(content.functions[1].units.code, 2);
  EXPECT_EQ(content.functions[1].units.description, "Foot (pound f)");
  EXPECT_EQ(content.functions[1].units.length, 3.28083989501312334);
  EXPECT_EQ(content.functions[1].units.temperature_offset, 459.67);
}

TEST(UffParse, AcceptsCarriageReturns) {
  std::string text = Sample{}.text();
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
    text.replace(at, 1, "\r\n");
  }
  EXPECT_EQ(only(text).real, Eigen::Vector2d(1.5, -2.5));
  EXPECT_EQ(only(text).ordinate.unit, "m/s^2");
}

struct Broken {
  std::string text;
  std::string message;
};

TEST(UffParse, BrokenTextNamesLineAndReason) {
  const auto with = [](std::string Sample::*part, const std::string& content) {
    Sample sample;
    sample.*part = content;
    return sample.text();
  };
  const std::vector<Broken> cases = {
      {"", "a.uff: the file holds no dataset"},
      {"t,x\n1,2\n", "a.uff:1: not a universal file"},
      {"    -1\n", "a.uff:1: the file ends before the number of a dataset"},
      {"    -1\n  none\n",
       "a.uff:2: dataset number (columns 1 to 6) must be an integer, got 'none'"},
      {"    -1\n\n", "a.uff:2: dataset number must be positive"},
      {"    -1\n    15\n 1 2 3\n", "a.uff:2: dataset 15 is not closed"},
      {with(&Sample::dof, "    x\n"), "a.uff:8: function type (columns 1 to 5) must be an integer"},
      {with(&Sample::form, "         3         2         1\n"),
       "a.uff:9: ordinate data type must be"},
      {with(&Sample::form, "         2        -2         1\n"),
       "points must not be negative, got -2"},
      {with(&Sample::form, "         2         2         7\n"), "abscissa spacing must be 0"},
      {with(&Sample::form, "         2         2         1  5.0000zE-01\n"),
       "a.uff:9: first abscissa (columns 31 to 43) must be a number, got '5.0000zE-01'"},
      {with(&Sample::form, "         29999999999         1\n"), "announces 9999999999 numbers"},
      {with(&Sample::values, "  1.50000E+00\n"),
       "a.uff:15: dataset 58 announces 2 numbers, only 1"},
      {with(&Sample::values, "  1.0  2.0  3.0\n"),
       "a.uff:14: dataset 58 announces 2 numbers, more"},
      {with(&Sample::values, "  1.0  2.0\n  3.0\n"), "a.uff:15: expected the closing -1"},
      {with(&Sample::values, "  1.0  two\n"), "a.uff:14: expected a number, got 'two'"},
      {with(&Sample::values, "  1.0  1.0E999\n"), "expected a number, got '1.0E999'"},
      {with(&Sample::close, ""), "a.uff:14: the file ends before the closing -1"},
      {with(&Sample::open, "    -1\n    58b     3     2          11           8\n"), "byte order"},
      {with(&Sample::open, "    -1\n    58b     1     1          11           8\n"), "IEEE 754"},
  };
  for (const Broken& broken : cases) {
    EXPECT_THAT(data_error_of([&] { (void)parse_uff(broken.text, "a.uff"); }),
                HasSubstr(broken.message));
  }
}

UffFunction random_function(std::mt19937_64& engine, Eigen::Index points, bool complex, bool even,
                            bool single) {
  const auto random_vector = [&](Eigen::Index size) {
    Eigen::VectorXd values(size);
    for (double& value : values) {
      value = std::uniform_real_distribution<double>(-10.0, 10.0)(engine);
      value = single ? static_cast<double>(static_cast<float>(value)) : value;
    }
    return values;
  };
  UffFunction f;
  f.id = {"FRF 1", "a title", "01-Jan-24 12:00:00", "load", "NONE"};
  f.type = 4;
  f.number = 17;
  f.version = 2;
  f.load_case = 1;
  f.response_name = "plate";
  f.response_node = 1234;
  f.response_direction = -3;
  f.reference_name = "shaker";
  f.reference_node = 7;
  f.reference_direction = 6;
  f.single_precision = single;
  f.z_value = 2.5;
  f.abscissa = {18, 0, 0, 0, "Frequency", "Hz"};
  f.ordinate = {12, 1, 0, 0, "Acceleration", "m/s^2"};
  f.denominator = {13, 0, 1, 0, "Force", "N"};
  f.z_axis = {0, 0, 0, 0, "NONE", "NONE"};
  if (even) {
    f.start = 0.25;
    f.step = 0.125;
  } else {
    f.x = random_vector(points);
    std::sort(f.x.begin(), f.x.end());
  }
  f.real = random_vector(points);
  if (complex) {
    f.imaginary = random_vector(points);
  }
  return f;
}

void expect_same_header(const UffFunction& a, const UffFunction& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(std::tie(a.type, a.number, a.version, a.load_case),
            std::tie(b.type, b.number, b.version, b.load_case));
  EXPECT_EQ(std::tie(a.response_name, a.response_node, a.response_direction),
            std::tie(b.response_name, b.response_node, b.response_direction));
  EXPECT_EQ(std::tie(a.reference_name, a.reference_node, a.reference_direction),
            std::tie(b.reference_name, b.reference_node, b.reference_direction));
  EXPECT_EQ(std::tie(a.single_precision, a.z_value, a.start, a.step),
            std::tie(b.single_precision, b.z_value, b.start, b.step));
  EXPECT_EQ(a.abscissa, b.abscissa);
  EXPECT_EQ(a.ordinate, b.ordinate);
  EXPECT_EQ(a.denominator, b.denominator);
  EXPECT_EQ(a.z_axis, b.z_axis);
}

// Binary is exact. Text: 12 digits in 20 columns, 6 in 13 (see fitted_number), half a unit of the
// last.
TEST(UffFunctions, WriteThenReadOfEveryForm) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "f.uff";
  std::mt19937_64 engine(58);
  for (unsigned form = 0; form < 32; ++form) {
    const bool complex = (form & 1U) != 0;
    const bool even = (form & 2U) != 0;
    const bool single = (form & 4U) != 0;
    const bool binary = (form & 8U) != 0;
    std::vector<UffFunction> functions;
    for (const Eigen::Index points : {1, 2, 3, 4, 5, 6, 7, 100}) {
      functions.push_back(random_function(engine, points, complex, even, single));
    }
    write_uff_functions(file, functions, {.binary = binary, .big_endian = (form & 16U) != 0});
    const std::vector<UffFunction> back = read_uff_functions(file);
    ASSERT_EQ(back.size(), functions.size());
    const double value_digits = binary ? 0.0 : single ? 5e-6 : 5e-12;
    const double axis_digits = binary ? 0.0 : 5e-6;
    for (std::size_t i = 0; i < back.size(); ++i) {
      SCOPED_TRACE(fmt::format("form {}, function {}", form, i));
      expect_same_header(back[i], functions[i]);
      EXPECT_TRUE(test::matrices_near(back[i].x, functions[i].x, {.rel = axis_digits}));
      EXPECT_TRUE(test::matrices_near(back[i].real, functions[i].real, {.rel = value_digits}));
      EXPECT_TRUE(
          test::matrices_near(back[i].imaginary, functions[i].imaginary, {.rel = value_digits}));
    }
  }
}

TEST(UffFunctions, TextKeepsTheColumnsOfTheFormat) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "f.uff";
  std::mt19937_64 engine(3);
  UffFunction f = random_function(engine, 9, false, true, false);
  f.real << 5.0, -1.0 / 3.0, 1e300 / 3.0, -1e-300 / 3.0, 0.0, 1e22, std::nan(""),
      std::numeric_limits<double>::max(), 5e-324;
  write_uff_functions(file, {f}, {.binary = false});
  std::ifstream stream(file);
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (number < 14 || line == "    -1") {
      continue;
    }
    EXPECT_EQ(line.size() % 20, 0U) << line;
    for (std::size_t field = 0; field < line.size(); field += 20) {
      EXPECT_EQ(line[field], ' ') << line;
      // Without a point a Fortran reader would divide by 10^12.
      const bool has_point = line.substr(field, 20).find('.') != std::string::npos;
      EXPECT_TRUE(has_point || line.find("NaN") != std::string::npos) << line;
    }
  }
  const UffFunction back = read_uff_functions(file).at(0);
  for (Eigen::Index k = 0; k < 9; ++k) {
    const double error = std::abs(back.real(k) - f.real(k));
    EXPECT_TRUE(std::isnan(f.real(k)) ? std::isnan(back.real(k))
                                      : error <= 5e-12 * std::abs(f.real(k)))
        << k;
  }
}

// Real double precision over uneven abscissae: 4 + 8 bytes a point, as the text form's precisions
// suggest, or 8 + 8. And a program that announces the bytes of the ordinates only.
TEST(UffFunctions, BinaryAbscissaeMayBeSingleOrDouble) {
  std::mt19937_64 engine(12);
  const UffFunction f = random_function(engine, 5, false, false, false);
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "f.uff";
  write_uff_functions(file, {f});
  const std::string text = test::read_text(file);
  const std::size_t body = text.size() - 7 - 80;
  const auto announced = [&](std::string content, int bytes) {
    return content.replace(7 + 31, 12, fmt::format("{:12}", bytes));
  };
  EXPECT_EQ(only(announced(text, 40)).x, f.x);
  std::string mixed = text.substr(0, body);
  for (Eigen::Index k = 0; k < 5; ++k) {
    const auto x = static_cast<float>(f.x(k));
    mixed.append(reinterpret_cast<const char*>(&x), 4);
    mixed.append(reinterpret_cast<const char*>(&f.real(k)), 8);
  }
  mixed = announced(mixed, 60) + "    -1\n";
  EXPECT_EQ(only(mixed).real, f.real);
  EXPECT_EQ(only(mixed).x, f.x.cast<float>().cast<double>());
}

TEST(UffFunctions, RefusesWhatTheFormatCannotHold) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "f.uff";
  std::mt19937_64 engine(1);
  const UffFunction good = random_function(engine, 3, true, false, false);
  const auto message = [&](const std::function<void(UffFunction&)>& change) {
    UffFunction bad = good;
    change(bad);
    return message_of([&] { write_uff_functions(file, {bad}, {.binary = false}); });
  };
  EXPECT_THAT(message([](UffFunction& f) { f.id[1] = "two\nlines"; }), HasSubstr("an ID line"));
  EXPECT_THAT(message([](UffFunction& f) { f.ordinate.unit = "m\r"; }), HasSubstr("a unit"));
  EXPECT_THAT(message([](UffFunction& f) { f.response_direction = 12345; }),
              HasSubstr("response_direction must fit 4 columns, got 12345"));
  EXPECT_THAT(message([](UffFunction& f) { f.imaginary.resize(2); }), HasSubstr("got 3 and 2"));
  EXPECT_THAT(message([](UffFunction& f) { f.x << 1e6, 1e6 + 1e-9, 2e6; }),
              HasSubstr("use binary = true"));
  EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace uff_test
}  // namespace alembert::io
