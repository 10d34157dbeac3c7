#include <cmath>

#include "reproductions/slider_crank/runs.hpp"

namespace alembert::reproductions::slider_crank {
namespace {

using Eigen::Index;

constexpr double kFigureFrom = 2.0;  // s
constexpr double kFigureTo = 3.0;

Plot time_figure(const Runs& runs) {
  Plot figure{.id = "acceleration-error",
              .title = "Error of the acceleration of the crank",
              .x_label = "time [s]",
              .y_label = "error [rad/s^2]",
              .caption =
                  "Record of seed 1. The input form stumbles at the dead centres, twice a "
                  "turn"};
  const auto first = static_cast<Index>(1e3 * kFigureFrom);
  const auto count = static_cast<Index>(1e3 * (kFigureTo - kFigureFrom));
  const Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(count, kFigureFrom, kFigureTo - 1e-3);
  const std::pair<const char*, const char*> shown[] = {
      {"input, simplex, switch 0.35", "input form, switch 0.35 rad"},
      {"output, EKF, white jerk", "output form"},
      {"output, EKF, white jerk, smoothed", "output form, smoothed"}};
  for (const auto& [row, name] : shown) {
    figure.curves.push_back(
        {name, times, score_of(runs, row).acceleration_error.segment(first, count)});
  }
  return figure;
}

const char* choice_name(Choice choice) {
  switch (choice) {
    case Choice::Filter:
      return "input form: filter";
    case Choice::Scheme:
      return "input form: scheme, rule, noise";
    case Choice::Switch:
      return "input form: switch";
    case Choice::Output:
      return "output form";
    case Choice::Wrong:
      break;
  }
  return "wrong lengths or bias";
}

/// Appends a point to the last series of this choice.
void add_point(const std::string& series, double x, double y, Plot& figure) {
  if (figure.curves.empty() || figure.curves.back().name != series) {
    figure.curves.push_back({.name = series, .x = {}, .y = {}, .style = Curve::Style::Points});
  }
  Curve& last = figure.curves.back();
  const Index count = last.x.size();
  last.x.conservativeResize(count + 1);
  last.y.conservativeResize(count + 1);
  last.x(count) = x;
  last.y(count) = y;
}

Plot row_figure(const Runs& runs) {
  Plot figure{.id = "choices",
              .title = "Which choice matters: error of the velocity",
              .x_label = "row of the tables",
              .y_label = "rms error [rad/s]",
              .log_y = true,
              .caption =
                  "One point for each row. Filters do not matter and schemes little; the switch, "
                  "the form, and states for what is wrong do"};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    add_point(choice_name(runs[i].choice), static_cast<double>(i + 1), runs[i].score.all.velocity,
              figure);
  }
  return figure;
}

Plot both_figure(const Runs& runs) {
  Plot figure{.id = "velocity-acceleration",
              .title = "Errors of velocity and acceleration",
              .x_label = "rms error of the velocity [rad/s]",
              .y_label = "rms error of the acceleration [rad/s^2]",
              .log_x = true,
              .log_y = true,
              .caption = "The same rows; better is further down and to the left"};
  for (const Run& run : runs) {
    add_point(choice_name(run.choice), run.score.all.velocity, run.score.all.acceleration, figure);
  }
  return figure;
}

// Tuned rows, in the order of their distances.
Plot switch_figure(const Runs& runs) {
  const Errors& output = score_of(runs, "output, EKF, white jerk").all;
  Plot figure{.id = "switch",
              .title = "Input form over output form, against the distance of the switch",
              .x_label = "distance from the dead centre [rad]",
              .y_label = "rms error over that of the output form",
              .log_y = true,
              .caption =
                  "Noise levels tuned at each distance; 1 is the output form with white "
                  "jerk"};
  std::vector<double> distances, velocities, accelerations;
  for (const Run& run : runs) {
    if (run.choice != Choice::Switch || run.one.tuning == Tuning::None) continue;
    // det SᵀS = (l sin d)²
    distances.push_back(std::asin(std::sqrt(run.one.options.switching.threshold) / 0.14));
    velocities.push_back(run.score.all.velocity / output.velocity);
    accelerations.push_back(run.score.all.acceleration / output.acceleration);
  }
  const auto vector = [](const std::vector<double>& values) -> Eigen::VectorXd {
    return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Index>(values.size()));
  };
  figure.curves = {{"velocity", vector(distances), vector(velocities)},
                   {"acceleration", vector(distances), vector(accelerations)}};
  return figure;
}

}  // namespace

std::vector<Plot> figures_of(const Runs& runs, bool full) {
  std::vector<Plot> figures = {row_figure(runs), both_figure(runs), time_figure(runs)};
  if (full) figures.insert(figures.begin() + 1, switch_figure(runs));
  return figures;
}

}  // namespace alembert::reproductions::slider_crank
