#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/page/vocabulary.hpp"
#include "report/tasks/output_error/output_error_plots.hpp"

namespace alembert::report {
namespace {

using document::ResultTree;
using identify::ParameterProfile;
using study::OutputErrorOutcome;

constexpr Eigen::Index kProfilePoints = 121;

Table profile_table(const ResultTree& profiles) {
  return with_rows(
      {.id = "profiles",
       .title = "95 % intervals",
       .header = {},
       .caption = "Profile: values that the data do not exclude, with all other parameters fitted "
                  "anew; by std: value plus and minus the quantile of Student's t times the "
                  "standard deviation. The cost at the ends of a profile allows for coloured "
                  "residuals by the ratio of the standard deviations"},
      profiles,
      {{.path = "name"},
       {.path = "unit"},
       {.path = "value", .digits = 5, .unknown = ""},
       {.path = "lower", .digits = 5, .unknown = ""},
       {.path = "upper", .digits = 5, .unknown = ""},
       {.path = "lower_by_deviation", .digits = 5},
       {.path = "upper_by_deviation", .digits = 5}});
}

/// What was computed along a profile: values, and the root of the increase of the cost over the
/// noise variance, negative below the estimate. The root is nearly straight.
struct RootCurve {
  std::vector<double> values, roots;

  RootCurve(const OutputErrorOutcome& result, const ParameterProfile& profile) {
    const double variance = result.estimate.statistics.noise_variance;
    const double limit = (profile.limit - result.estimate.cost) / variance;
    double best = 0.0;
    for (const optimize::ProfilePoint& point : profile.interval.curve) {
      if (point.cost == result.estimate.cost) best = point.value;
    }
    for (const optimize::ProfilePoint& point : profile.interval.curve) {
      const double increase = (point.cost - result.estimate.cost) / variance;
      if (!(increase <= 3.0 * limit)) continue;  // Far trials would press the rest together.
      values.push_back(point.value);
      roots.push_back((point.value < best ? -1.0 : 1.0) * std::sqrt(std::max(increase, 0.0)));
    }
  }

  /// The increase between the points: the root on the line, squared.
  [[nodiscard]] double increase_at(double value) const {
    std::size_t k = 1;
    while (k + 1 < values.size() && values[k] < value) ++k;
    const double width = values[k] - values[k - 1];
    const double share = width > 0.0 ? (value - values[k - 1]) / width : 0.0;
    const double root = roots[k - 1] + share * (roots[k] - roots[k - 1]);
    return root * root;
  }
};

Curve fitted_points(const RootCurve& found) {
  const auto size = static_cast<Eigen::Index>(found.values.size());
  return {.name = "fitted",
          .x = Eigen::Map<const Eigen::VectorXd>(found.values.data(), size),
          .y = Eigen::Map<const Eigen::VectorXd>(found.roots.data(), size).array().square(),
          .style = Curve::Style::Points};
}

Plot profile_plot(const RootCurve& found, const ResultTree& profile, std::size_t number) {
  const std::string& name = profile.text("name");
  const double value = profile.number("value");
  const double deviation = profile.number("deviation");
  const double quantile = profile.number("quantile");
  Plot plot{.id = fmt::format("profile-{}", number),
            .title = fmt::format("Profile of {}", name),
            .x_label = with_unit(name, profile.text("unit")),
            .y_label = "cost increase / noise variance",
            .curves = {},
            .caption =
                "At each point all other parameters are fitted anew. The interval ends where the "
                "profile crosses the dashed line; if the standard deviation tells it all the "
                "profile is its parabola"};
  const Eigen::VectorXd axis =
      Eigen::VectorXd::LinSpaced(kProfilePoints, found.values.front(), found.values.back());
  Eigen::VectorXd along(kProfilePoints);
  for (Eigen::Index k = 0; k < kProfilePoints; ++k) along(k) = found.increase_at(axis(k));
  plot.curves.push_back({.name = "profile", .x = axis, .y = along});
  if (std::isfinite(deviation) && deviation > 0.0) {
    plot.curves.push_back({.name = "by standard deviation",
                           .x = axis,
                           .y = ((axis.array() - value) / deviation).square(),
                           .style = Curve::Style::Dashed});
  }
  plot.curves.push_back({.name = "95 %",
                         .x = axis,
                         .y = Eigen::VectorXd::Constant(kProfilePoints, quantile * quantile),
                         .style = Curve::Style::Dashed});
  plot.curves.push_back(fitted_points(found));
  return plot;
}

}  // namespace

Section output_error_profiles(const OutputErrorOutcome& result, const ResultTree& tree) {
  Section section{.title = "Profile-likelihood intervals", .blocks = {}};
  const ResultTree& profiles = tree.at("profiles");
  if (profiles.entries().empty()) return section;
  section.blocks.push_back(profile_table(profiles));
  for (std::size_t i = 0; i < result.profiles.size(); ++i) {
    const RootCurve found(result, result.profiles[i]);
    if (found.values.size() < 2) continue;  // One that its bounds hold has nothing to draw.
    section.blocks.push_back(profile_plot(found, profiles.entries()[i], i + 1));
  }
  return section;
}

}  // namespace alembert::report
