#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// The content of a report, free of any markup; render_html() draws it.
namespace alembert::report {

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

/// Axes with curves. Large curves are decimated without losing peaks when rendered.
struct Plot {
  std::string id;  ///< unique in the document, used for links and file names
  std::string title;
  std::string x_label;  ///< with unit, "time [s]"
  std::string y_label;
  bool log_x = false;
  bool log_y = false;
  std::vector<Curve> curves;
  std::string caption = {};
  std::vector<Marker> markers = {};
  int visible = 0;  ///< groups shown at first; 0: all up to twelve, else the first eight
};

/// A table; cells are ready text, columns of numbers are aligned at the decimal point.
struct Table {
  std::string id;
  std::string title;
  std::vector<std::string> header;  ///< units in brackets, "frequency [Hz]"
  std::vector<std::vector<std::string>> rows;
  std::string caption = {};
  int status_column = -1;  ///< the column with "ok" or "not ok", shown as a mark; -1: none
};

/// A matrix shown as a coloured grid (M, D, K, correlations), values on hover.
struct MatrixView {
  std::string id;
  std::string title;
  Eigen::MatrixXd values;
  std::vector<std::string> row_names, column_names;  ///< empty: 1, 2, ...
  std::string unit = {};
  std::string caption = {};
};

/// A thing drawn in the frame of a body that moves, or of the ground.
struct MovingShape {
  enum class Kind {
    Bar,     ///< a thick line through the points
    Plate,   ///< a filled polygon
    Block,   ///< a filled polygon with a firm outline: a slider
    Pin,     ///< a small circle at each point
    Wheel,   ///< a circle of this radius at the first point, with a spoke
    Guide,   ///< a thin line through the points
    Support  ///< hatching under each point, which stands still
  } kind = Kind::Bar;
  int body = -1;                             ///< -1: the ground
  std::vector<Eigen::Vector2d> points = {};  ///< in the frame of the body
  double radius = 0.0;                       ///< of a wheel
};

/// A line between points of two bodies, which changes its length.
struct MovingLink {
  int a_body = -1, b_body = -1;
  Eigen::Vector2d a = {}, b = {};
};

/// Bodies that move in the plane: a drawing with a play button and a slider for the time.
struct Animation {
  std::string id;
  std::string title;
  std::vector<std::string> bodies = {};  ///< their names, for the legend
  Eigen::VectorXd times = {};            ///< of the frames, s
  Eigen::MatrixXd poses = {};            ///< frames x (x, y, angle of each body)
  std::vector<MovingShape> shapes = {};  ///< drawn in this order
  std::vector<MovingLink> links = {};
  std::vector<std::vector<Eigen::Vector2d>> traces = {};  ///< paths of points, drawn faintly
  double speed = 1.0;                                     ///< seconds shown in a second, at first
  std::string caption = {};
};

/// A paragraph of plain text.
struct Paragraph {
  std::string text;
  enum class Kind { Normal, Good, Warning, Bad } kind = Kind::Normal;
};

/// Preformatted text (the study file).
struct Listing {
  std::string title;
  std::string text;
};

using Block = std::variant<Paragraph, Table, Plot, MatrixView, Listing, Animation>;

struct Section {
  std::string title;
  std::vector<Block> blocks;
};

struct Document {
  std::string title;
  std::string subtitle = {};  ///< one line under the title: what was asked
  std::vector<std::pair<std::string, std::string>> facts;  ///< key figures at the top: label, value
  std::vector<Section> sections;
};

/// Returns one self-contained HTML page (no network, no other files). The same document gives the
/// same bytes.
///
/// A page holds at most about 700 000 points of curves (some 5 MB), shared among its plots: curves
/// above their share keep the first, smallest, largest and last sample of each of many runs, and
/// the caption says so. Text is escaped everywhere; bytes that are not UTF-8 become U+FFFD.
/// @throws InvalidInput if x and y of a curve differ in size, names of a matrix do not fit, or a
///   row of a table is longer than its header.
[[nodiscard]] std::string render_html(const Document& document);

/// Writes render_html(document) to a file. @throws DataError if it cannot be written.
void write_report(const std::filesystem::path& file, const Document& document);

}  // namespace alembert::report
