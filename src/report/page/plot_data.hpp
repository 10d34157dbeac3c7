#pragma once

#include <Eigen/Core>
#include <string>

#include "report/page/vocabulary.hpp"

/// The curves of a plot, thinned and encoded for the page's script.
namespace alembert::report {

/// Points that the curves of one plot, and all plots of one page, may hold together.
inline constexpr Eigen::Index kPlotPoints = 240'000;
inline constexpr Eigen::Index kPagePoints = 700'000;

/// Points that a plot would hold if the page were its own.
Eigen::Index wanted_points(const Plot& plot);

struct PlotData {
  std::string json;               ///< safe inside a script element
  Eigen::Index most_samples = 0;  ///< of the longest curve, before thinning
  Eigen::Index most_points = 0;   ///< of that curve in the page
  [[nodiscard]] bool thinned() const { return most_points < most_samples; }
};

/// Thins and encodes. `share` in (0, 1] is the part of its wanted points that the plot may use.
/// @throws InvalidInput if x and y of a curve differ in size.
PlotData plot_data(const Plot& plot, double share);

}  // namespace alembert::report
