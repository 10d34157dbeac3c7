#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "report/page/text.hpp"
#include "report/parts/sampled_curve.hpp"
#include "report/tasks/observe/observe_plots.hpp"

namespace alembert::report {
namespace {

using document::ResultColumn;
using document::ResultTree;

constexpr std::size_t kMostMarkers = 20;

std::string time_words(double seconds) { return fmt::format("{} s", significant(seconds, 3)); }

// "a lasting change of 1 standard deviation is found after 0.012 s on the mean"
std::string delay_words(const ResultTree& one) {
  const ResultTree& delay = one.at("delay");
  const ResultTree& change = one.at("change");
  const ResultTree& excess = one.at("least_excess");
  if (excess.is_null()) {
    return delay.is_null() ? ""
                           : fmt::format(
                                 " A lasting shift of {} standard deviations raises the "
                                 "alarm after {} on the mean.",
                                 change.is_null() ? "1" : significant(change.number(), 3),
                                 time_words(delay.number()));
  }
  const std::string unit = pretty_unit(one.text("unit"));
  std::string words = fmt::format(" The estimate must be {} {} beyond the limit for an alarm.",
                                  significant(excess.number(), 3), unit);
  if (change.is_null()) return words;
  const std::string jump =
      fmt::format("A jump to {} {} beyond the limit", significant(change.number(), 3), unit);
  if (!one.at("seen").boolean()) return words + " " + jump + " is not surely found.";
  if (delay.is_null()) return words;
  return words + fmt::format(" {} is found after {} in half of all cases, or sooner.", jump,
                             time_words(delay.number()));
}

Paragraph watch_paragraph(const ResultTree& one) {
  const std::vector<ResultTree>& alarms = one.at("alarms").entries();
  const std::string name = fmt::format("{} ({})", one.text("name"), one.text("watched"));
  if (!one.at("begun").boolean()) {
    return {name + ": the record is too short for this watch.", Paragraph::Kind::Warning};
  }
  const std::string promise =
      fmt::format(" One false alarm is expected in {} at most.{}",
                  time_words(one.number("false_alarms_every")), delay_words(one));
  if (alarms.empty()) return {name + ": no alarm." + promise};
  return {fmt::format("{}: {}, first at {}.{}", name,
                      count_of(static_cast<long long>(alarms.size()), "alarm"),
                      time_words(alarms.front().number("begin")), promise),
          Paragraph::Kind::Bad};
}

Table alarm_table(const ResultTree& watch) {
  Table table{.id = "alarms",
              .title = "Alarms",
              .header = {"watch", "from, s", "until, s", "began after, s", "value", "unit"},
              .rows = {},
              .caption =
                  "Value: estimate or innovation at the beginning, with its standard deviation. "
                  "Began after: the last time that the sum was zero; the change came later"};
  for (const ResultTree& one : watch.entries()) {
    for (const ResultTree& alarm : one.at("alarms").entries()) {
      const ResultTree& end = alarm.at("end");
      table.rows.push_back({one.text("name"), significant(alarm.number("begin"), 5),
                            end.is_null() ? "lasts" : significant(end.number(), 5),
                            significant(alarm.number("onset"), 5),
                            with_deviation(alarm.number("value"), alarm.number("deviation")),
                            pretty_unit(one.text("unit"))});
    }
  }
  return table;
}

Plot watch_plot(const study::ObserveResult& result, const estimate::WatchReport& report,
                const ResultTree& one, std::size_t number) {
  Plot plot{.id = fmt::format("watch-{}", number),
            .title = fmt::format("Watch {}: {}", report.signal.name, one.text("watched")),
            .x_label = "time [s]",
            .y_label = "distance [standard deviations]",
            .curves = {},
            .caption = "Dashed: the limit of the alarm, which lines mark"};
  const Eigen::VectorXd times = result.study.time.times();
  plot.curves.push_back(sampled_curve("distance", times, report.statistic));
  plot.curves.push_back({.name = "limit",
                         .x = Eigen::Vector2d(times(0), times(times.size() - 1)),
                         .y = Eigen::Vector2d::Constant(report.design.limit),
                         .style = Curve::Style::Dashed});
  plot.markers = alarm_markers(report);
  return plot;
}

}  // namespace

std::vector<Marker> alarm_markers(const estimate::WatchReport& report) {
  std::vector<Marker> markers;
  for (const estimate::WatchAlarm& alarm : report.alarms) {
    if (markers.size() == kMostMarkers) break;
    markers.push_back({.x = alarm.begin, .label = report.signal.name});
  }
  return markers;
}

Section watch_section(const study::ObserveResult& result, const ResultTree& watch) {
  Section section{.title = "Watch", .blocks = {}};
  bool any = false;
  for (const ResultTree& one : watch.entries()) {
    section.blocks.push_back(watch_paragraph(one));
    any = any || !one.at("alarms").entries().empty();
  }
  if (any) section.blocks.push_back(alarm_table(watch));
  for (std::size_t i = 0; i < result.watch.size(); ++i) {
    if (!result.watch[i].begun) continue;
    section.blocks.push_back(watch_plot(result, result.watch[i], watch.entries()[i], i + 1));
  }
  return section;
}

}  // namespace alembert::report
