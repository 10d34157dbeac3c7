#include "reproductions/slider_crank/rows.hpp"

#include <fmt/format.h>

#include <cmath>

#include "reproductions/slider_crank/options.hpp"

namespace alembert::reproductions::slider_crank {
namespace {

using estimate::AccelerationScheme;
using estimate::FilterRule;
using estimate::MotionModel;
using estimate::ObserverFilter;

/// A line of the reference: velocity near, between, far from the dead centres and everywhere; then
/// acceleration; NEES and NIS.
Numbers reference_row(const std::array<double, 4>& velocity,
                      const std::array<double, 4>& acceleration, double nees, double nis) {
  Numbers row;
  for (std::size_t i = 0; i < kZones; ++i) row.zones[i] = {velocity[i], acceleration[i]};
  row.all = {velocity[3], acceleration[3]};
  row.nees = nees;
  row.nis = nis;
  return row;
}

Case held_row(const std::string& name, const estimate::KinematicObserverOptions& options,
              const Numbers& reference) {
  return {.name = name, .options = options, .reference = reference, .held = true};
}

Case narrow_row(const std::string& name, ObserverFilter filter, double central_weight,
                const Numbers& reference) {
  Case row = held_row(name, input_options(filter, 0.08, kNarrowLevels), reference);
  row.options.central_weight = central_weight;
  return row;
}

Case scheme_row(const std::string& name, AccelerationScheme scheme, double gamma,
                const Numbers& reference) {
  Case row = narrow_row(name, FilterRule::Simplex, 1.0 / 3.0, reference);
  row.options.input.scheme = scheme;
  row.options.input.gamma = gamma;
  return row;
}

Case switch_row(double distance, const Levels& levels, const Numbers& reference) {
  return held_row(fmt::format("input, simplex, switch {:.2f}", distance),
                  input_options(FilterRule::Simplex, distance, levels), reference);
}

// The same with levels of our own, for those that the reference does not give.
Case tuned_switch_row(double distance, const Levels& start, const Errors& all) {
  Case row = switch_row(distance, start, {.all = all});
  row.name += ", tuned here";
  row.tuning = Tuning::Levels;
  row.held = false;
  return row;
}

}  // namespace

std::vector<Case> filter_rows() {
  const double third = 1.0 / 3.0;
  const Numbers of_third =
      reference_row({.200, .070, .0146, .0552}, {26.8, 14.0, .854, 8.23}, 10.2, 1.01);
  return {
      narrow_row("input, EKF, switch 0.08", FilterRule::Ekf, third,
                 reference_row({.199, .069, .0147, .0548}, {26.4, 13.7, .863, 8.11}, 7.3, 1.01)),
      narrow_row("input, simplex w0 = 0, switch 0.08", FilterRule::Simplex, 0.0,
                 reference_row({.201, .070, .0146, .0553}, {26.9, 14.0, .854, 8.26}, 10.7, 1.01)),
      narrow_row("input, simplex w0 = 1/3, switch 0.08", FilterRule::Simplex, third, of_third),
      narrow_row("input, simplex w0 = 0.9, switch 0.08", FilterRule::Simplex, 0.9,
                 reference_row({.202, .070, .0146, .0557}, {27.2, 14.6, .854, 8.46}, 8.9, 1.01)),
      narrow_row("input, square-root simplex, switch 0.08", square_root(FilterRule::Simplex), third,
                 of_third),
      narrow_row("input, cubature = unscented(1, 0, 0), switch 0.08", FilterRule::Cubature, third,
                 reference_row({.201, .069, .0145, .0552}, {26.8, 13.9, .854, 8.23}, 9.7, 1.01))};
}

std::vector<Case> scheme_rows() {
  const Numbers constraint =
      reference_row({.201, .070, .0146, .0553}, {26.9, 14.0, .855, 8.26}, 6.8, 1.01);
  std::vector<Case> rows = {
      scheme_row("input, scheme 1", AccelerationScheme::Constraint, 1.0, constraint),
      scheme_row("input, scheme 2, gamma 1", AccelerationScheme::Newmark, 1.0, constraint),
      scheme_row("input, scheme 3, gamma 5", AccelerationScheme::NewmarkConstraint, 5.0,
                 constraint),
      scheme_row("input, scheme 2, gamma 5", AccelerationScheme::Newmark, 5.0,
                 reference_row({.158, .065, .0144, .0461}, {12.7, 5.83, 1.04, 3.82}, 5.7, 1.01)),
      scheme_row("input, scheme 2, gamma 20", AccelerationScheme::Newmark, 20.0,
                 reference_row({.133, .061, .0139, .0406}, {4.71, 2.52, 3.07, 3.11}, 7.4, 1.01)),
      scheme_row("input, scheme 1, Heun, no delay", AccelerationScheme::ConstraintNow, 1.0,
                 reference_row({.265, .079, .0094, .0691}, {51.2, 17.8, .684, 13.7}, 27.0, 1.01)),
      scheme_row("input, scheme 1, noise of the input propagated", AccelerationScheme::Constraint,
                 1.0, {.all = {.0555, 8.26}, .nees = 4.3})};
  rows[5].options.input.discretisation = estimate::Discretisation::Heun;
  rows[6].options.input_noise.from_inputs = true;
  return rows;
}

std::vector<Case> switch_rows(bool full) {
  std::vector<Case> rows = {
      switch_row(0.25, kMiddleLevels,
                 reference_row({.056, .052, .0151, .0272}, {2.16, 3.18, .884, 1.54}, 3.2, 1.01)),
      switch_row(0.35, kWideLevels,
                 reference_row({.038, .039, .0175, .0233}, {1.10, 1.60, .906, 1.05}, 2.9, 1.01))};
  if (!full) return rows;
  rows.push_back(tuned_switch_row(0.05, kNarrowLevels, {.077, 17.5}));
  rows.push_back(tuned_switch_row(0.08, kNarrowLevels, {.0553, 8.26}));
  rows.push_back(tuned_switch_row(0.15, kMiddleLevels, {.037, 3.2}));
  rows.push_back(tuned_switch_row(0.25, kMiddleLevels, {.0272, 1.54}));
  rows.push_back(tuned_switch_row(0.35, kWideLevels, {.0233, 1.05}));
  rows.push_back(tuned_switch_row(0.50, kWideLevels, {.0236, .997}));
  rows.back().reference =
      reference_row({.036, .033, .0202, .0236}, {1.23, 1.25, .924, .997}, 27.0, 1.00);
  return rows;
}

std::vector<Case> output_rows() {
  const Numbers jerk =
      reference_row({.0052, .0100, .0075, .0078}, {.570, .750, .437, .503}, 2.9, 1.65);
  const Numbers snap =
      reference_row({.0053, .0088, .0065, .0068}, {.594, .663, .309, .400}, 2.9, 1.96);
  const double none = std::numeric_limits<double>::quiet_NaN();
  const auto row = [](const std::string& name, ObserverFilter filter, MotionModel motion,
                      double log_density, const Numbers& reference) {
    return held_row(name, output_options(filter, motion, log_density), reference);
  };
  std::vector<Case> rows = {
      row("output, EKF, white jerk", FilterRule::Ekf, MotionModel::WhiteJerk, kLogJerk, jerk),
      row("output, simplex, white jerk", FilterRule::Simplex, MotionModel::WhiteJerk, kLogJerk,
          jerk),
      row("output, square-root simplex, white jerk", square_root(FilterRule::Simplex),
          MotionModel::WhiteJerk, kLogJerk, jerk),
      row("output, EKF, white snap", FilterRule::Ekf, MotionModel::WhiteSnap, kLogSnap, snap),
      row("output, simplex, white snap", FilterRule::Simplex, MotionModel::WhiteSnap, kLogSnap,
          snap),
      row("output, EKF, white jerk, smoothed", FilterRule::Ekf, MotionModel::WhiteJerk,
          kLogSmoothedJerk,
          reference_row({.0014, .0015, .0013, .0013}, {.066, .067, .058, .060}, none, none))};
  rows.back().smooth = true;
  return rows;
}

std::vector<Group> row_groups(bool full) {
  return {{Choice::Filter, filter_rows()},
          {Choice::Scheme, scheme_rows()},
          {Choice::Switch, switch_rows(full)},
          {Choice::Output, output_rows()},
          {Choice::Wrong, wrong_rows(full)}};
}

}  // namespace alembert::reproductions::slider_crank
