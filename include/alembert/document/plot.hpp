#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace alembert::document {

/// One curve. NaN breaks the line. A curve drawn over another (a model over a measurement) may
/// be dashed or shown as points.
struct Curve {
  std::string name;
  Eigen::VectorXd x;  ///< empty: that of the curve before
  Eigen::VectorXd y;
  enum class Style {
    Line,
    Dashed,
    Faint,  ///< a pale line, for a long record under its model
    Points,
    Bars
  } style = Style::Line;
  std::string unit = {};     ///< of y, "" takes that of the plot's y_label
  std::string group = {};    ///< curves of one group share a colour and a switch in the legend
  Eigen::Index samples = 0;  ///< that the curve stands for, if it was thinned already; 0: y.size()
};

/// A vertical line across a plot, such as a natural frequency.
struct Marker {
  double x = 0.0;
  std::string label = {};
};

/// Windows of x that the reader chooses by clicking: things that were found at some x are kept or
/// dropped, and the page writes the lines for the study.
struct WindowChoice {
  std::string table;                                 ///< of the study, "identify.poles"
  std::string what;                                  ///< what is chosen, "mode"
  std::vector<double> found = {};                    ///< where the things are, ascending
  std::vector<std::pair<double, double>> keep = {};  ///< windows of the study: only what is inside
  std::vector<std::pair<double, double>> drop = {};  ///< windows of the study: nothing inside
};

/// Axes with curves. Large curves are decimated without losing peaks when rendered.
struct Plot {
  std::string id;  ///< unique in the document, used for links and file names
  std::string title;
  std::string x_label;  ///< with unit, "time [s]"
  std::string y_label;
  bool log_x = false;
  bool log_y = false;
  std::vector<Curve> curves = {};
  std::string caption = {};
  std::vector<Marker> markers = {};
  int visible = 0;  ///< groups shown at first; 0: all up to twelve, else the first eight
  std::optional<WindowChoice> choice = {};
};

}  // namespace alembert::document
