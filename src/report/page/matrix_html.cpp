#include "report/page/matrix_html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "report/page/encode.hpp"
#include "report/page/text.hpp"

namespace alembert::report {
namespace {

constexpr Eigen::Index kLargestTable = 12;  // columns whose numbers fit into the page

using Names = std::vector<std::string>;

Names names_or_numbers(const MatrixView& view, const Names& names, Eigen::Index count,
                       const char* which) {
  if (names.empty()) {
    Names numbers;
    for (Eigen::Index i = 0; i < count; ++i) numbers.push_back(std::to_string(i + 1));
    return numbers;
  }
  if (static_cast<Eigen::Index>(names.size()) != count) {
    throw InvalidInput({.function = "render_html",
                        .item = fmt::format("{} of matrix '{}'", which, view.id),
                        .rule = fmt::format("must have {} names", count),
                        .value = fmt::format("{}", names.size())});
  }
  return names;
}

// How all entries of a matrix are written: value / 10^exponent with this many decimals.
struct Format {
  int exponent = 0;
  int decimals = 0;

  [[nodiscard]] std::string operator()(double value) const {
    if (value == 0.0) return "0";
    if (!std::isfinite(value)) return shortest(value);
    return fmt::format("{:.{}f}", value / std::pow(10.0, exponent), decimals);
  }
};

double largest_entry(const Eigen::MatrixXd& values) {
  double largest = 0.0;
  for (const double v : values.reshaped()) {
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  }
  return largest;
}

bool all_whole(const Eigen::MatrixXd& values) {
  return (values.array() == values.array().round()).all();
}

// Four significant digits of the largest entry; whole numbers stay whole.
Format choose_format(const Eigen::MatrixXd& values) {
  const double largest = largest_entry(values);
  if (largest == 0.0) return {};
  const int magnitude = static_cast<int>(std::floor(std::log10(largest)));
  if (magnitude >= -1 && magnitude <= 5) {
    return {.exponent = 0, .decimals = all_whole(values) ? 0 : std::max(0, 3 - magnitude)};
  }
  const int exponent = 3 * static_cast<int>(std::floor(magnitude / 3.0));
  return {.exponent = exponent, .decimals = 3 - (magnitude - exponent)};
}

std::string cell(double value, double largest, const Format& format) {
  if (value == 0.0) return "<td class=\"z\">0</td>";
  // The square root keeps small couplings visible beside large ones.
  const double strength = std::isfinite(value) ? std::sqrt(std::abs(value) / largest) : 0.0;
  return fmt::format("<td class=\"{}\" style=\"--a:{:.2f}\" title=\"{}\">{}</td>",
                     value > 0.0 ? 'p' : 'm', strength, shortest(value), format(value));
}

std::string cells_html(const MatrixView& view, const Names& rows, const Names& columns,
                       const Format& format) {
  const double largest = largest_entry(view.values);
  std::string text =
      "<div class=\"scroll\" tabindex=\"0\"><table class=\"cells\"><thead><tr><td></td>";
  for (const std::string& name : columns) {
    text += fmt::format("<th scope=\"col\">{}</th>", html(name));
  }
  text += "</tr></thead>\n<tbody>\n";
  for (Eigen::Index i = 0; i < view.values.rows(); ++i) {
    text += fmt::format("<tr><th scope=\"row\">{}</th>", html(rows[static_cast<std::size_t>(i)]));
    for (Eigen::Index j = 0; j < view.values.cols(); ++j) {
      text += cell(view.values(i, j), largest, format);
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

constexpr int kBarSteps = 8;  // on each side of zero

std::string bar_steps(const char* sign, double least, bool rising) {
  std::string text;
  for (int k = 0; k < kBarSteps; ++k) {
    const double part = (rising ? k + 0.5 : kBarSteps - k - 0.5) / kBarSteps;
    // The colours of cell() and of the canvas.
    text += fmt::format("<i class=\"{}\" style=\"--a:{:.2f}\"></i>", sign,
                        least + (1.0 - least) * std::sqrt(part));
  }
  return text;
}

// Which colour stands for which number; only the signs that occur.
std::string bar_html(const MatrixView& view, bool strong) {
  const double largest = largest_entry(view.values);
  if (largest == 0.0) return "";
  const double least = strong ? 0.12 : 0.0;
  const bool below = (view.values.array() < 0.0).any();
  const bool above = (view.values.array() > 0.0).any();
  std::string text = fmt::format("<div class=\"bar{}\">", strong ? " strong" : "");
  text += below ? fmt::format("{:.5g}", -largest) : "0";
  text += "<span class=\"steps\">";
  if (below) text += bar_steps("m", least, false);
  if (above) text += bar_steps("p", least, true);
  text += fmt::format("</span>{}", above ? fmt::format("{:.5g}", largest) : "0");
  const std::string unit = view.unit == "-" ? "" : html(view.unit);
  return text + (unit.empty() ? "" : " " + unit) + ", square-root scale</div>\n";
}

std::string heat_html(const MatrixView& view) {
  return fmt::format(
      "<div class=\"heat\"><canvas role=\"img\" aria-label=\"{}\"></canvas><div "
      "class=\"heat-value\">"
      "{} \u00d7 {}, largest entry {:.4g}; blue below zero, red above; point at an entry for its "
      "value</div></div>\n",
      html(view.title), view.values.rows(), view.values.cols(), largest_entry(view.values));
}

std::string data_json(const MatrixView& view, const Names& rows, const Names& columns) {
  const auto clean = [](Names names) {
    for (std::string& name : names) name = clean_text(name);
    return names;
  };
  nlohmann::ordered_json json;
  json["rows"] = clean(rows);
  json["columns"] = clean(columns);
  json["unit"] = clean_text(view.unit);
  const Eigen::VectorXd by_rows = view.values.transpose().reshaped();
  json["values"] = base64_doubles(by_rows);
  return script_safe(json.dump(-1, ' ', true));
}

std::string scale_note(const MatrixView& view, const Format& format, bool written) {
  const std::string unit = view.unit.empty() || view.unit == "-" ? "" : html(view.unit);
  if (!written || format.exponent == 0) return unit.empty() ? "" : fmt::format(" [{}]", unit);
  return fmt::format(" [10<sup>{}</sup>{}{}]", format.exponent, unit.empty() ? "" : "\u00a0", unit);
}

}  // namespace

std::string matrix_html(const MatrixView& view, const std::string& id, int number) {
  const Names rows = names_or_numbers(view, view.row_names, view.values.rows(), "row_names");
  const Names columns =
      names_or_numbers(view, view.column_names, view.values.cols(), "column_names");
  const Format format = choose_format(view.values);
  const bool written =
      view.values.cols() <= kLargestTable && view.values.rows() <= 4 * kLargestTable;
  return fmt::format(
      "<figure class=\"matrix\" id=\"{}\">\n{}{}"
      "<figcaption><b>Figure {}.</b> {}{}{}{}<span class=\"tools\"></span></figcaption>\n"
      "<script type=\"application/json\">{}</script></figure>\n",
      id, written ? cells_html(view, rows, columns, format) : heat_html(view),
      bar_html(view, !written), number, html(view.title), scale_note(view, format, written),
      view.caption.empty() ? "" : ". ", html(view.caption), data_json(view, rows, columns));
}

}  // namespace alembert::report
