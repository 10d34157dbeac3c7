#include "alembert/io/uff_responses.hpp"

#include <gtest/gtest.h>

#include "alembert/core/error.hpp"
#include "support/data.hpp"

namespace alembert::io::uff_responses_test {
namespace {

UffFunction response(long long node, long long reference, double size) {
  UffFunction one;
  one.type = 4;
  one.response_node = node;
  one.response_direction = 3;
  one.reference_node = reference;
  one.reference_direction = -1;
  one.start = 0.5;
  one.step = 0.25;
  one.ordinate.unit = "m/s^2";
  one.denominator.unit = "N";
  one.real = size * Eigen::VectorXd::LinSpaced(5, 1.0, 5.0);
  one.imaginary = -one.real;
  return one;
}

std::vector<UffFunction> two_by_two() {
  return {response(1, 7, 1.0), response(2, 7, 2.0), response(1, 8, 3.0), response(2, 8, 4.0)};
}

// Written and read back, every value stands in the column of its pair.
TEST(UffResponses, FormAMatrixOfAllPairs) {
  const test::TemporaryFolder folder;
  std::vector<UffFunction> functions = two_by_two();
  UffFunction time;
  time.type = 1;
  time.step = 0.1;
  time.real = Eigen::VectorXd::Ones(3);
  functions.insert(functions.begin(), time);  // passed over
  write_uff_functions(folder.path() / "frf.uff", functions);
  const UffResponses all = read_uff_responses(folder.path() / "frf.uff");
  EXPECT_EQ(all.outputs, (std::vector<std::string>{"1:+Z", "2:+Z"}));
  EXPECT_EQ(all.inputs, (std::vector<std::string>{"7:-X", "8:-X"}));
  EXPECT_EQ(all.output_units.front(), "m/s^2");
  EXPECT_EQ(all.input_units.back(), "N");
  EXPECT_EQ(all.frequencies_hz, (Eigen::VectorXd(5) << 0.5, 0.75, 1.0, 1.25, 1.5).finished());
  ASSERT_EQ(all.values.cols(), 4);
  for (Eigen::Index c = 0; c < 4; ++c) {
    const double size = static_cast<double>(c + 1);
    EXPECT_EQ(all.values(2, c), std::complex<double>(3.0 * size, -3.0 * size)) << c;
  }
}

TEST(UffResponses, NameWhatIsWrong) {
  const auto message = [](const std::vector<UffFunction>& functions) -> std::string {
    try {
      (void)uff_responses(functions, "frf.uff");
    } catch (const DataError& error) {
      return error.what();
    }
    return "no DataError";
  };
  std::vector<UffFunction> functions = two_by_two();
  functions.pop_back();
  EXPECT_NE(message(functions).find("has no frequency response 2:+Z / 8:-X"), std::string::npos);
  functions = two_by_two();
  functions.push_back(response(1, 7, 1.0));
  EXPECT_NE(message(functions).find("1:+Z / 7:-X is there twice"), std::string::npos);
  functions = two_by_two();
  functions[2].step = 0.3;
  EXPECT_NE(message(functions).find("1:+Z / 8:-X is on other lines"), std::string::npos);
  functions = two_by_two();
  functions[1].imaginary.resize(0);
  EXPECT_NE(message(functions).find("2:+Z / 7:-X has real values"), std::string::npos);
  EXPECT_NE(message({}).find("holds no frequency responses"), std::string::npos);
}

}  // namespace
}  // namespace alembert::io::uff_responses_test
