#pragma once

#include <Eigen/Core>
#include <string>
#include <variant>
#include <vector>

/// The content of a report, free of any markup; render_html() draws it.
namespace alembert::report {

/// One curve. NaN breaks the line. A curve drawn over another (a model over a measurement) may
/// be dashed or shown as points.
struct Curve {
  std::string name;
  Eigen::VectorXd x;
  Eigen::VectorXd y;
  enum class Style { Line, Dashed, Points, Bars } style = Style::Line;
  std::string unit = {};  ///< of y, shown in the legend where curves differ
};

/// Axes with curves. Large curves are decimated without losing peaks when rendered.
struct Plot {
  std::string id;       ///< unique in the document, used for links and file names
  std::string title;
  std::string x_label;  ///< with unit, "time [s]"
  std::string y_label;
  bool log_x = false;
  bool log_y = false;
  std::vector<Curve> curves;
  std::string caption = {};
};

/// A table; cells are ready text, columns of numbers are aligned right.
struct Table {
  std::string id;
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::string caption = {};
};

/// A matrix shown as a coloured grid (M, D, K, correlations), values on hover.
struct MatrixView {
  std::string id;
  std::string title;
  Eigen::MatrixXd values;
  std::vector<std::string> row_names, column_names;
  std::string unit = {};
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

using Block = std::variant<Paragraph, Table, Plot, MatrixView, Listing>;

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

/// Returns one self-contained HTML page (no network, no other files).
[[nodiscard]] std::string render_html(const Document& document);

}  // namespace alembert::report
