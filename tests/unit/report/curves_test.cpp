// How the curves of a document reach the page: values, gaps, thinning and size.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>
#include <set>

#include "alembert/report/page.hpp"
#include "page_reader.hpp"
#include "report/parts/response_plots.hpp"
#include "support/allocations.hpp"
#include "support/matrices_near.hpp"

namespace curves_test {

using namespace alembert::document;
using namespace alembert::report;
using alembert::test::curve_x;
using alembert::test::curve_y;
using alembert::test::data_blocks;
using alembert::test::has;
using alembert::test::kEps;
using Eigen::Index;
using Eigen::VectorXd;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Plot plot_of(std::vector<Curve> curves) {
  return {.id = "p",
          .title = "P",
          .x_label = "time [s]",
          .y_label = "y [m]",
          .curves = std::move(curves)};
}

std::string page_of(Plot plot) {
  return render_html({.title = "T", .facts = {}, .sections = {{"S", {std::move(plot)}}}});
}

nlohmann::json data_of(const Plot& plot) { return data_blocks(page_of(plot)).at(0); }

VectorXd grid(Index samples, double step) {
  return VectorXd::LinSpaced(samples, 0.0, step * static_cast<double>(samples - 1));
}

TEST(Curves, KeepTheirValues) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> uniform(-5.0, 5.0);
  const VectorXd x = grid(1000, 0.001);
  const VectorXd y = VectorXd::NullaryExpr(1000, [&] { return uniform(engine); });
  const auto data = data_of(plot_of({{.name = "a", .x = x, .y = y}}));
  const auto read_x = curve_x(data, 0);
  const auto read_y = curve_y(data, 0);
  ASSERT_EQ(read_x.size(), 1000U);
  ASSERT_EQ(read_y.size(), 1000U);
  for (Index k = 0; k < 1000; ++k) {
    const auto i = static_cast<std::size_t>(k);
    EXPECT_NEAR(read_x[i], x(k), 8 * kEps);       // start + k step, |x| <= 1
    EXPECT_NEAR(read_y[i], y(k), 0x1p-24 * 5.0);  // single precision
  }
}

// A grid with points left out is written as sample numbers, anything else as it is.
TEST(Curves, KeepUnevenAbscissae) {
  const VectorXd gappy = (VectorXd(5) << 0.0, 0.1, 0.2, 50.0, 100000.3).finished();
  const VectorXd uneven = (VectorXd(4) << 0.0, 1.0, std::numbers::pi, 10.0).finished();
  const VectorXd back = (VectorXd(4) << 0.0, 1.0, 0.5, -1.0).finished();
  const auto data = data_of(plot_of({{.name = "a", .x = gappy, .y = VectorXd::Zero(5)},
                                     {.name = "b", .x = uneven, .y = VectorXd::Zero(4)},
                                     {.name = "c", .x = back, .y = VectorXd::Zero(4)}}));
  const auto read = curve_x(data, 0);
  ASSERT_EQ(read.size(), 5U);
  // Within 1e-6 of a step, as documented for grids.
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(read[i], gappy(static_cast<Index>(i)), 1e-7);
  EXPECT_THAT(curve_x(data, 1), testing::ElementsAre(0.0, 1.0, std::numbers::pi, 10.0));
  EXPECT_THAT(curve_x(data, 2), testing::ElementsAre(0.0, 1.0, 0.5, -1.0));
}

// 1e-6 of the range is a thousandth of a pixel; single precision alone would leave steps of 0.06.
TEST(Curves, KeepSmallChangesOfLargeValues) {
  const VectorXd x = grid(500, 0.01);
  const VectorXd y = 1e6 + 1e-2 * x.array().sin();
  const auto read = curve_y(data_of(plot_of({{.name = "a", .x = x, .y = y}})), 0);
  for (Index k = 0; k < 500; ++k) EXPECT_NEAR(read[static_cast<std::size_t>(k)], y(k), 1e-6 * 2e-2);
}

TEST(Curves, KeepTheWholeRangeOfDoubles) {
  const VectorXd y = (VectorXd(6) << 1e-300, 1e300, -1e300, 1e-44, 0.0, 1.0).finished();
  const auto read =
      curve_y(data_of(plot_of({{.name = "a", .x = VectorXd::LinSpaced(6, 0, 5), .y = y}})), 0);
  EXPECT_THAT(read, testing::ElementsAre(1e-300, 1e300, -1e300, 1e-44, 0.0, 1.0));
}

// On a logarithmic axis each value counts: 1e-44 has no digits left in single precision.
TEST(Curves, KeepSmallValuesAmongLargeOnes) {
  const VectorXd y = (VectorXd(3) << 1e-44, 0.5, 1.0).finished();
  const VectorXd x = VectorXd::LinSpaced(3, 0, 2);
  EXPECT_THAT(curve_y(data_of(plot_of({{.name = "a", .x = x, .y = y}})), 0),
              testing::ElementsAre(1e-44, 0.5, 1.0));
}

TEST(Curves, ShowMissingAndInfiniteValuesAsGaps) {
  const VectorXd y =
      (VectorXd(5) << 1.0, kNaN, std::numeric_limits<double>::infinity(), 2.0, kNaN).finished();
  const auto read =
      curve_y(data_of(plot_of({{.name = "a", .x = VectorXd::LinSpaced(5, 0, 4), .y = y}})), 0);
  EXPECT_EQ(read[0], 1.0);
  EXPECT_TRUE(std::isnan(read[1]));
  EXPECT_TRUE(std::isnan(read[2]));
  EXPECT_EQ(read[3], 2.0);
  EXPECT_TRUE(std::isnan(read[4]));
  const VectorXd none = VectorXd::Constant(5, kNaN);
  EXPECT_EQ(
      curve_y(data_of(plot_of({{.name = "a", .x = VectorXd::LinSpaced(5, 0, 4), .y = none}})), 0)
          .size(),
      5U);
}

TEST(Curves, WriteSharedAbscissaeOnce) {
  const VectorXd x = VectorXd::LinSpaced(100, 0.0, 3.0).array().square();
  const auto data = data_of(plot_of({{.name = "a", .x = x, .y = x},
                                     {.name = "b", .x = {}, .y = x},
                                     {.name = "c", .x = x, .y = x}}));
  EXPECT_EQ(data["curves"][1]["x"]["same"], 0);
  EXPECT_EQ(data["curves"][2]["x"]["same"], 0);
}

TEST(Curves, CarryStyleGroupAndUnit) {
  const VectorXd x = VectorXd::LinSpaced(3, 0, 1);
  const auto data = data_of(plot_of(
      {{.name = "a", .x = x, .y = x, .style = Curve::Style::Points, .unit = "mm", .group = "g"},
       {.name = "b", .x = x, .y = x, .style = Curve::Style::Faint},
       {.name = "c", .x = x, .y = x, .style = Curve::Style::Dashed},
       {.name = "d", .x = x, .y = x, .style = Curve::Style::Bars}}));
  EXPECT_EQ(data["curves"][0]["style"], "points");
  EXPECT_EQ(data["curves"][0]["unit"], "mm");
  EXPECT_EQ(data["curves"][0]["group"], "g");
  EXPECT_EQ(data["curves"][1]["style"], "faint");
  EXPECT_EQ(data["curves"][2]["style"], "dashed");
  EXPECT_EQ(data["curves"][3]["style"], "bars");
}

// One spike in a million samples: in the page, where it was, and the caption says what was done.
TEST(Curves, AreThinnedWithoutLosingPeaks) {
  const Index samples = 1'000'000;
  const VectorXd x = grid(samples, 1e-4);
  VectorXd y = (0.3 * x.array()).sin();
  y(654'321) = 7.5;
  y(123'456) = -9.25;
  const Plot plot = plot_of({{.name = "a", .x = x, .y = y}});
  const std::string page = page_of(plot);
  const auto data = data_blocks(page).at(0);
  const auto read_x = curve_x(data, 0);
  const auto read_y = curve_y(data, 0);
  ASSERT_EQ(read_x.size(), read_y.size());
  EXPECT_LE(read_y.size(), 20'000U);
  const auto top = std::max_element(read_y.begin(), read_y.end()) - read_y.begin();
  const auto bottom = std::min_element(read_y.begin(), read_y.end()) - read_y.begin();
  EXPECT_EQ(read_y[static_cast<std::size_t>(top)], 7.5);
  EXPECT_EQ(read_y[static_cast<std::size_t>(bottom)], -9.25);
  EXPECT_NEAR(read_x[static_cast<std::size_t>(top)], 65.4321, 1e-10);  // 1e-6 of a step
  EXPECT_NEAR(read_x[static_cast<std::size_t>(bottom)], 12.3456, 1e-10);
  EXPECT_EQ(read_x.front(), 0.0);
  EXPECT_NEAR(read_x.back(), 99.9999, 1e-10);
  EXPECT_TRUE(has(page, "of 1\u202f000\u202f000 samples a curve, chosen so that no peak is lost"));
}

TEST(Curves, ShortOnesAreLeftAlone) {
  const VectorXd x = grid(20'000, 0.5);
  EXPECT_FALSE(has(page_of(plot_of({{.name = "a", .x = x, .y = x}})), "no peak is lost"));
}

TEST(Curves, ThinnedBeforehandSaySo) {
  const VectorXd x = grid(100, 0.5);
  const std::string page = page_of(plot_of({{.name = "a", .x = x, .y = x, .samples = 5'000'000}}));
  EXPECT_TRUE(has(page, "Drawn from 100 of 5\u202f000\u202f000 samples"));
}

// With runs of equal count a spectrum would keep one point below 0.1 Hz; the lowest lines must
// stay.
TEST(Curves, KeepLowFrequenciesOnLogarithmicAxes) {
  const VectorXd f = VectorXd::LinSpaced(500'000, 0.01, 5000.0);
  Plot plot = plot_of({{.name = "a", .x = f, .y = f.array().inverse()}});
  plot.log_x = plot.log_y = true;
  const auto read = curve_x(data_of(plot), 0);
  std::size_t low = 0;
  while (low < read.size() && read[low] < 1.0) ++low;
  EXPECT_EQ(low, 99U);  // all lines 0.01, 0.02, ..., 0.99
  EXPECT_LE(read.size(), 20'000U);
}

TEST(Curves, FirstEightOfManyAreVisible) {
  const VectorXd x = VectorXd::LinSpaced(3, 0, 1);
  std::vector<Curve> curves;
  for (int k = 0; k < 12; ++k) curves.push_back({.name = "c", .x = x, .y = x});
  EXPECT_EQ(data_of(plot_of(curves))["visible"], 12);
  curves.push_back({.name = "c", .x = x, .y = x});
  EXPECT_EQ(data_of(plot_of(curves))["visible"], 8);
  // Groups count once.
  for (std::size_t k = 0; k < curves.size(); ++k)
    curves[k].group = std::string("g") += std::to_string(k / 2);
  EXPECT_EQ(data_of(plot_of(curves))["visible"], 7);
}

// The size that the report promises: 64 channels of a million samples, below 12 MB and 5 s.
TEST(Curves, SixtyFourLongChannelsFitIntoAPage) {
  // Sanitizer builds are an order slower and need twice the memory: there only the size is looked
  // at.
  const bool instrumented = !alembert::test::counts_allocations();
  const Index samples = instrumented ? 100'000 : 1'000'000;
  std::mt19937_64 engine(5);
  const VectorXd noise =
      VectorXd::NullaryExpr(samples, [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; });
  Plot plot = plot_of({});
  for (int k = 0; k < 64; ++k) {
    plot.curves.push_back({.name = "channel",
                           .x = k == 0 ? grid(samples, 1e-3) : VectorXd(),
                           .y = noise.array() + k});
  }
  Document document{.title = "T", .facts = {}, .sections = {}};
  document.sections.push_back({"S", {}});
  document.sections[0].blocks.emplace_back(std::move(plot));
  const auto begin = std::chrono::steady_clock::now();
  const std::string page = render_html(document);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(page.size(), 12'000'000U);
  if (!instrumented) {
    EXPECT_LT(time.count(), 5.0);
  }
  RecordProperty("megabytes", std::to_string(static_cast<double>(page.size()) / 1e6));
  RecordProperty("seconds", std::to_string(time.count()));
}

// Many plots share the page's budget.
TEST(Curves, ManyPlotsStayWithinThePagesBudget) {
  const VectorXd x = grid(20'000, 1e-3);
  Document document{.title = "T", .facts = {}, .sections = {{"S", {}}}};
  for (int p = 0; p < 20; ++p) {
    Plot plot = plot_of({});
    for (int k = 0; k < 8; ++k)
      plot.curves.push_back({.name = "c", .x = k == 0 ? x : VectorXd(), .y = x.array().sin()});
    document.sections[0].blocks.emplace_back(std::move(plot));
  }
  std::size_t points = 0;
  for (const auto& data : data_blocks(render_html(document))) {
    for (std::size_t k = 0; k < 8; ++k) points += curve_y(data, k).size();
  }
  EXPECT_LE(points, 700'000U);
}

// A delay of 0.3 s turns the phase by -108 degrees for each Hz, without an end.
TEST(ResponsePhase, HasNoJumps) {
  const VectorXd frequencies = VectorXd::LinSpaced(400, 0.0, 20.0);
  const Eigen::VectorXcd delay = (std::complex<double>(0.0, -2.0 * std::numbers::pi * 0.3) *
                                  frequencies.cast<std::complex<double>>())
                                     .array()
                                     .exp();
  const VectorXd expected = -108.0 * frequencies;
  const VectorXd phase = unwrapped_phase(delay);
  // A phase of 2160 degrees in doubles, through a wrapped angle.
  EXPECT_LT((phase - expected).cwiseAbs().maxCoeff(), 1e-9);
  // Points between those of the curve, and a gap, which stays one.
  Eigen::VectorXcd points = delay.tail(399);
  points(7) = {kNaN, kNaN};
  VectorXd beside = phase_beside(points, frequencies.tail(399), frequencies(Eigen::seq(0, 399, 3)),
                                 expected(Eigen::seq(0, 399, 3)));
  EXPECT_TRUE(std::isnan(beside(7)));
  beside(7) = expected(8);
  EXPECT_LT((beside - expected.tail(399)).cwiseAbs().maxCoeff(), 1e-9);
}

}  // namespace curves_test
