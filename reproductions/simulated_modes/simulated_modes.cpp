#include "reproductions/simulated_modes/simulated_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "reproductions/simulated_modes/test_score.hpp"

namespace alembert::reproductions::simulated_modes {
namespace {

using Eigen::Index;

const std::vector<double> kAllLevels{60.0, 40.0, 20.0};  // dB
const std::vector<double> kQuickLevels{40.0};
constexpr double kInterval = 1.959963984540054;  // Φ⁻¹(0.975)

// All tests of one kind, or of one kind and level.
struct Sums {
  int tests = 0, clear = 0, found = 0, reported = 0, wrong = 0, wrong_good = 0;
  std::vector<ModePair> pairs;

  void add(const TestScore& score) {
    ++tests;
    clear += score.clear;
    found += score.found;
    reported += score.reported;
    wrong += score.wrong;
    wrong_good += score.wrong_good;
    pairs.insert(pairs.end(), score.pairs.begin(), score.pairs.end());
  }

  // The finite values of one part of the pairs, as sizes.
  [[nodiscard]] std::vector<double> sizes(double ModePair::*part) const {
    std::vector<double> list;
    for (const ModePair& one : pairs) {
      if (std::isfinite(one.*part)) list.push_back(std::abs(one.*part));
    }
    std::sort(list.begin(), list.end());
    return list;
  }
  [[nodiscard]] double quantile(double ModePair::*part, double share) const {
    const std::vector<double> list = sizes(part);
    if (list.empty()) return std::nan("");
    const double place = share * static_cast<double>(list.size() - 1);
    return list[static_cast<std::size_t>(std::lround(place))];
  }
  [[nodiscard]] double covered(double ModePair::*part) const {
    const std::vector<double> list = sizes(part);
    const auto inside =
        std::count_if(list.begin(), list.end(), [](double one) { return one <= kInterval; });
    return 100.0 * static_cast<double>(inside) / static_cast<double>(list.size());
  }
  [[nodiscard]] double found_percent() const { return 100.0 * found / clear; }
  [[nodiscard]] double wrong_percent() const {
    return reported > 0 ? 100.0 * wrong / reported : 0.0;
  }
};

Table counts_table(const std::vector<std::string>& names, const std::vector<Sums>& sums) {
  Table table{.id = "counts",
              .title = "Modes found and false ones",
              .header = {"test", "tests", "modes that the records can tell", "found", "found [%]",
                         "reported", "false", "false [%]", "false, in a report called good"},
              .caption =
                  "A record can tell a mode if the Cramér-Rao bound of its frequency is "
                  "below 0.3 % and that of its damping below 20 %, all modes unknown "
                  "together; in wind, if 2π f ζ T is above 50 and its peak three times the "
                  "noise. More may be reported, and right."};
  table.values.resize(static_cast<Index>(names.size()), 8);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Sums& one = sums[i];
    table.rows.push_back({names[i]});
    table.values.row(static_cast<Index>(i)) << one.tests, one.clear, one.found, one.found_percent(),
        one.reported, one.wrong, one.wrong_percent(), one.wrong_good;
  }
  return table;
}

Table errors_table(const std::vector<std::string>& names, const std::vector<Sums>& sums) {
  Table table{
      .id = "errors",
      .title = "Errors of the modes found, and reported deviations",
      .header = {"test", "frequency error, median [%]", "damping error, median [%]",
                 "frequency within 1.96 deviations [%]", "damping within 1.96 deviations [%]",
                 "1 - MAC, median", "1 - MAC by its deviations, median", "MAC, worst tenth"},
      .caption =
          "Errors are relative. A damping that the report calls not known is left "
          "out. Shapes of ambient records have no deviations."};
  table.values.resize(static_cast<Index>(names.size()), 7);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Sums& one = sums[i];
    table.rows.push_back({names[i]});
    table.values.row(static_cast<Index>(i))
        << 100.0 * one.quantile(&ModePair::frequency_error, 0.5),
        100.0 * one.quantile(&ModePair::damping_error, 0.5),
        one.covered(&ModePair::frequency_ratio), one.covered(&ModePair::damping_ratio),
        one.quantile(&ModePair::mac_error, 0.5), one.quantile(&ModePair::mac_expected, 0.5),
        1.0 - one.quantile(&ModePair::mac_error, 0.9);
  }
  return table;
}

// The share of errors below a number of deviations, beside that of normal errors.
Plot coverage_plot(const std::vector<Sums>& kinds, double ModePair::*part, std::string id,
                   std::string what) {
  Plot plot{.id = std::move(id),
            .title = "Errors of " + what + " in units of their reported deviations",
            .x_label = "deviations",
            .y_label = "share of modes with a smaller error",
            .caption = "All levels of noise together."};
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(81, 0.0, 4.0);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const std::vector<double> list = kinds[k].sizes(part);
    const Eigen::VectorXd share = x.unaryExpr([&](double limit) {
      const auto below = std::upper_bound(list.begin(), list.end(), limit) - list.begin();
      return static_cast<double>(below) / std::max(1.0, static_cast<double>(list.size()));
    });
    plot.curves.push_back({.name = std::string(name_of(kTestKinds[k])), .x = x, .y = share});
  }
  plot.curves.push_back({.name = "normal errors",
                         .x = x,
                         .y = x.unaryExpr([](double t) { return std::erf(t / std::sqrt(2.0)); }),
                         .style = Curve::Style::Dashed});
  return plot;
}

// A rule for many modes, loosened by three deviations of what a share of so few of them scatters;
// nothing in the full form.
double slack(double percent, std::size_t count, bool full) {
  const double share = 0.01 * percent;
  return full ? 0.0 : 300.0 * std::sqrt(share * (1.0 - share) / static_cast<double>(count));
}

Claim claim_of(const std::string& name, double measured, std::string target, bool full) {
  return promised(
      {.name = name,
       .measured = measured,
       .unit = "%",
       .target = std::move(target),
       .source = full ? "own promise" : "own promise of the full form, wider for so few modes"});
}

void claim_kind(const std::string& name, const Sums& sums, bool full, Reproduction& all) {
  const auto clear = static_cast<std::size_t>(std::max(1, sums.clear));
  const auto reported = static_cast<std::size_t>(std::max(1, sums.reported));
  all.claims.push_back(claim_of(name + ", modes found of those that the records can tell",
                                sums.found_percent(),
                                fmt::format(">= {:.4g}", 98.0 - slack(98.0, clear, full)), full));
  all.claims.push_back(claim_of(name + ", false ones among the reported modes",
                                sums.wrong_percent(),
                                fmt::format("<= {:.4g}", 2.0 + slack(2.0, reported, full)), full));
  const double least = 90.0 - slack(90.0, std::max<std::size_t>(1, sums.pairs.size()), full);
  const std::string band = fmt::format("{:.4g} .. {}", least, full ? 99 : 100);
  all.claims.push_back(claim_of(name + ", frequencies within 1.96 deviations",
                                sums.covered(&ModePair::frequency_ratio), band, full));
  all.claims.push_back(claim_of(name + ", damping ratios within 1.96 deviations",
                                sums.covered(&ModePair::damping_ratio), band, full));
}

std::vector<TestScore> run_tests(const std::vector<double>& levels, std::size_t seeds,
                                 const ReproduceOptions& options) {
  std::vector<TestScore> scores(kTestKinds.size() * levels.size() * seeds);
  parallel_for(
      scores.size(),
      [&](std::size_t i) {
        const TestKind kind = kTestKinds[i / (levels.size() * seeds)];
        scores[i] = score_test(kind, levels[i / seeds % levels.size()], i % seeds);
      },
      options.parallel);
  return scores;
}

void take_scores(const std::vector<TestScore>& scores, const std::vector<double>& levels,
                 std::size_t seeds, Reproduction& all) {
  std::vector<std::string> names;
  std::vector<Sums> rows(kTestKinds.size() * levels.size()), kinds(kTestKinds.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    rows[i / seeds].add(scores[i]);
    kinds[i / (levels.size() * seeds)].add(scores[i]);
  }
  for (const TestKind kind : kTestKinds) {
    for (const double level : levels) {
      names.push_back(fmt::format("{}, {:g} dB", name_of(kind), level));
    }
  }
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    claim_kind(std::string(name_of(kTestKinds[k])), kinds[k], all.full, all);
  }
  all.tables = {counts_table(names, rows), errors_table(names, rows)};
  all.figures = {
      coverage_plot(kinds, &ModePair::frequency_ratio, "coverage-frequency", "frequencies"),
      coverage_plot(kinds, &ModePair::damping_ratio, "coverage-damping", "damping ratios")};
}

}  // namespace

Reproduction run(const ReproduceOptions& options) {
  Reproduction all;
  all.name = "modes";
  all.title = "Modes of simulated tests";
  all.full = options.full;
  all.summary =
      "Impact, shaker and ambient tests of structures that are drawn: nine modes in the band of 5 "
      "to 100 Hz, two of them 1 % apart, one more below and one above it, damping 0.1 to 5 %, 4, "
      "12 and 40 accelerometers with 1, 2 and 3 forces. Records at 250 Hz: three blows of 8.2 s at "
      "each point, 65.5 s of random forces, 262 s of wind. White noise on the responses 60, 40 and "
      "20 dB below them, on forces 60 dB. [identify] method = \"modes\" is given the band and "
      "nothing else. The full form has 100 tests of each kind at each level. The quick one has two "
      "of each kind at 40 dB, with 4 and 12 sensors, and its rules are wider by three deviations "
      "of a share of so few.";
  const std::size_t seeds = options.full ? 100 : 2;
  const std::vector<double>& levels = options.full ? kAllLevels : kQuickLevels;
  const std::vector<TestScore> scores = run_tests(levels, seeds, options);
  if (!std::all_of(scores.begin(), scores.end(),
                   [](const TestScore& one) { return one.finished; })) {
    all.status = Status::Stopped;
    all.message = "stopped on request; no claim is made";
    return all;
  }
  take_scores(scores, levels, seeds, all);
  return all;
}

}  // namespace alembert::reproductions::simulated_modes
