#include "report/page/shape_view_html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "alembert/core/error.hpp"
#include "report/page/encode.hpp"
#include "report/page/text.hpp"

namespace alembert::report {
namespace {

using Eigen::Index;
using Json = nlohmann::ordered_json;

void check_shape_view(const ShapeView& view) {
  const Index points = view.points.rows();
  const auto known = [&](Index point) { return point >= 0 && point < points; };
  const auto all_known = [&](const std::vector<std::vector<Index>>& lists) {
    return std::all_of(lists.begin(), lists.end(), [&](const std::vector<Index>& list) {
      return std::all_of(list.begin(), list.end(), known);
    });
  };
  const bool motions =
      std::all_of(view.shapes.begin(), view.shapes.end(), [&](const document::ShapeMotion& shape) {
        return shape.motion.rows() == points && shape.motion.cols() == 3 &&
               shape.motion.allFinite();
      });
  const bool arrows =
      std::all_of(view.arrows.begin(), view.arrows.end(),
                  [&](const document::ShapeArrow& arrow) { return known(arrow.point); });
  if (points > 0 && view.points.cols() == 3 && view.points.allFinite() && !view.shapes.empty() &&
      static_cast<Index>(view.names.size()) == points && motions && arrows &&
      all_known(view.lines) && all_known(view.surfaces)) {
    return;
  }
  throw InvalidInput(
      {.function = "render_html",
       .item = fmt::format("shapes '{}'", view.id),
       .rule = "must have finite points with names, shapes that move each of them, "
               "and lines, surfaces and arrows between them",
       .value = fmt::format("{} x {} points, {} names and {} shapes", points, view.points.cols(),
                            view.names.size(), view.shapes.size())});
}

std::string by_rows(const Eigen::MatrixXd& values) {
  const Eigen::VectorXd row = values.transpose().reshaped();
  return base64_doubles(row);
}

Json shapes_json(const ShapeView& view) {
  Json list = Json::array();
  for (const document::ShapeMotion& shape : view.shapes) {
    list.push_back({{"name", clean_text(shape.name)},
                    {"real", by_rows(shape.motion.real())},
                    {"imaginary", by_rows(shape.motion.imag())}});
  }
  return list;
}

Json arrows_json(const ShapeView& view) {
  Json list = Json::array();
  for (const document::ShapeArrow& arrow : view.arrows) {
    list.push_back(
        {{"name", clean_text(arrow.name)},
         {"point", arrow.point},
         {"direction", {arrow.direction.x(), arrow.direction.y(), arrow.direction.z()}}});
  }
  return list;
}

std::string view_json(const ShapeView& view) {
  Json json;
  Json names = Json::array();
  for (const std::string& name : view.names) names.push_back(clean_text(name));
  json["names"] = names;
  json["points"] = by_rows(view.points);
  json["lines"] = view.lines;
  json["surfaces"] = view.surfaces;
  json["arrows"] = arrows_json(view);
  json["shapes"] = shapes_json(view);
  return script_safe(json.dump(-1, ' ', true));
}

}  // namespace

std::string shape_view_html(const ShapeView& view, const std::string& id, int number) {
  check_shape_view(view);
  const std::string caption = view.caption.empty() ? "" : " " + html(view.caption) + ".";
  return fmt::format(
      "<figure class=\"shapes\" id=\"{}\">\n<div class=\"shape-tools\"></div>\n"
      "<div class=\"stage\" tabindex=\"0\" role=\"group\" aria-label=\"{}\"></div>\n"
      "<div class=\"player\"></div>\n"
      "<noscript><p class=\"noscript\">This picture needs JavaScript. Its numbers are in the files "
      "beside this report.</p></noscript>\n"
      "<figcaption><b>Figure {}.</b> {}.{}</figcaption>\n"
      "<script type=\"application/json\">{}</script></figure>\n",
      id, html(view.title), number, html(view.title), caption, view_json(view));
}

}  // namespace alembert::report
