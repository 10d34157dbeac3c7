#include "report/page/animation_html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "report/page/encode.hpp"
#include "report/page/text.hpp"

namespace alembert::report {
namespace {

using Eigen::Index;
using Eigen::Vector2d;
using Kind = MovingShape::Kind;

constexpr int kColours = 8;

struct Box {
  Vector2d low = Vector2d::Constant(std::numeric_limits<double>::infinity());
  Vector2d high = -low;

  void take(const Vector2d& point) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  [[nodiscard]] double span() const { return std::max((high - low).maxCoeff(), 1e-9); }
};

Vector2d placed(const Animation& animation, Index frame, int body, const Vector2d& point) {
  if (body < 0) return point;
  const double angle = animation.poses(frame, 3 * body + 2);
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {animation.poses(frame, 3 * body) + c * point.x() - s * point.y(),
          animation.poses(frame, 3 * body + 1) + s * point.x() + c * point.y()};
}

Box extent(const Animation& animation) {
  Box box;
  for (Index k = 0; k < animation.poses.rows(); ++k) {
    for (const MovingShape& shape : animation.shapes) {
      for (const Vector2d& point : shape.points) {
        const Vector2d at = placed(animation, k, shape.body, point);
        box.take(at + Vector2d::Constant(shape.radius));
        box.take(at - Vector2d::Constant(shape.radius));
      }
    }
    for (const MovingLink& link : animation.links) {
      box.take(placed(animation, k, link.a_body, link.a));
      box.take(placed(animation, k, link.b_body, link.b));
    }
  }
  return box;
}

// Coordinates need no more digits than a screen has.
std::string length_text(double value) { return fmt::format("{:.5g}", value); }

std::string points_text(const std::vector<Vector2d>& points) {
  std::vector<std::string> parts;
  for (const Vector2d& point : points) {
    parts.push_back(length_text(point.x()) + "," + length_text(point.y()));
  }
  return join(parts, " ");
}

std::string circle(const Vector2d& at, double radius, const char* kind) {
  return fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>", kind,
                     length_text(at.x()), length_text(at.y()), length_text(radius));
}

std::string poly(const char* element, const char* kind, const std::vector<Vector2d>& points) {
  return fmt::format("<{} class=\"{}\" points=\"{}\"/>", element, kind, points_text(points));
}

// A foot under a point of the ground: a triangle on a line.
std::string support(const Vector2d& at, double size) {
  const Vector2d left = at + Vector2d(-size, -1.4 * size);
  const Vector2d right = at + Vector2d(size, -1.4 * size);
  return poly("polygon", "support", {at, left, right}) +
         poly("polyline", "support",
              {left - Vector2d(0.6 * size, 0.0), right + Vector2d(0.6 * size, 0.0)});
}

std::string shape_svg(const MovingShape& shape, double span) {
  std::string text;
  switch (shape.kind) {
    case Kind::Bar:
      return poly("polyline", "bar", shape.points);
    case Kind::Plate:
      return poly("polygon", "plate", shape.points);
    case Kind::Block:
      return poly("polygon", "block", shape.points);
    case Kind::Guide:
      return poly("polyline", "guide", shape.points);
    case Kind::Wheel:
      return circle(shape.points.front(), shape.radius, "wheel") +
             poly("polyline", "guide",
                  {shape.points.front(), shape.points.front() + Vector2d(shape.radius, 0.0)});
    case Kind::Pin:
      for (const Vector2d& point : shape.points) text += circle(point, 0.011 * span, "pin");
      return text;
    case Kind::Support:
      for (const Vector2d& point : shape.points) text += support(point, 0.022 * span);
      return text;
  }
  return text;
}

std::string body_class(int body) {
  return body < 0 ? "ground" : fmt::format("b{}", body % kColours);
}

std::string pose_text(const Animation& animation, Index frame, int body) {
  return fmt::format("translate({} {}) rotate({:.3f})",
                     length_text(animation.poses(frame, 3 * body)),
                     length_text(animation.poses(frame, 3 * body + 1)),
                     animation.poses(frame, 3 * body + 2) * 180.0 / std::numbers::pi);
}

std::string shapes_svg(const Animation& animation, double span) {
  std::string text;
  for (const MovingShape& shape : animation.shapes) {
    const std::string pose = shape.body < 0
                                 ? ""
                                 : fmt::format(" data-body=\"{}\" transform=\"{}\"", shape.body,
                                               pose_text(animation, 0, shape.body));
    text += fmt::format("<g class=\"{}\"{}>{}</g>\n", body_class(shape.body), pose,
                        shape_svg(shape, span));
  }
  return text;
}

std::string links_svg(const Animation& animation) {
  std::string text;
  for (const MovingLink& link : animation.links) {
    const Vector2d a = placed(animation, 0, link.a_body, link.a);
    const Vector2d b = placed(animation, 0, link.b_body, link.b);
    text += fmt::format(
        "<line class=\"link\" data-ends=\"{} {} {} {} {} {}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" "
        "y2=\"{}\"/>\n",
        link.a_body, shortest(link.a.x()), shortest(link.a.y()), link.b_body, shortest(link.b.x()),
        shortest(link.b.y()), length_text(a.x()), length_text(a.y()), length_text(b.x()),
        length_text(b.y()));
  }
  return text;
}

std::string svg(const Animation& animation) {
  Box box = extent(animation);
  const double span = box.span();
  box.low -= Vector2d::Constant(0.07 * span);
  box.high += Vector2d::Constant(0.07 * span);
  const Vector2d size = box.high - box.low;
  std::string traces;
  for (const std::vector<Vector2d>& trace : animation.traces) {
    traces += poly("polyline", "trace", trace) + "\n";
  }
  // y points upwards.
  return fmt::format(
      "<svg viewBox=\"{} {} {} {}\" role=\"img\" aria-label=\"{}\"><g transform=\"scale(1 "
      "-1)\">\n{}{}{}</g></svg>\n",
      length_text(box.low.x()), length_text(-box.high.y()), length_text(size.x()),
      length_text(size.y()), html(animation.title), traces, links_svg(animation),
      shapes_svg(animation, span));
}

std::string legend(const Animation& animation) {
  std::string text = "<div class=\"bodies\">";
  for (std::size_t i = 0; i < animation.bodies.size(); ++i) {
    if (animation.bodies[i].empty()) continue;  // a node of a mesh
    text += fmt::format(
        "<span class=\"{}\"><svg width=\"18\" height=\"8\"><line class=\"bar\" "
        "x1=\"3\" y1=\"4\" x2=\"15\" y2=\"4\"/></svg>{}</span>",
        body_class(static_cast<int>(i)), html(animation.bodies[i]));
  }
  return text + "</div>\n";
}

// All poses in one row of numbers, angles within a turn: they are only drawn.
std::string frames_json(const Animation& animation) {
  Eigen::VectorXd row(animation.poses.size());
  Index at = 0;
  for (Index k = 0; k < animation.poses.rows(); ++k) {
    for (Index j = 0; j < animation.poses.cols(); ++j) {
      const double value = animation.poses(k, j);
      row(at++) = j % 3 == 2 ? std::remainder(value, 2.0 * std::numbers::pi) : value;
    }
  }
  return fmt::format(R"({{"bodies":{},"speed":{},"times":{},"poses":{}}})", animation.bodies.size(),
                     shortest(animation.speed),
                     encode_x(animation.times, grid_step(animation.times)), encode_y(row));
}

void check_animation(const Animation& animation) {
  const auto columns = static_cast<Index>(3 * animation.bodies.size());
  const auto known = [&](int body) { return body < static_cast<int>(animation.bodies.size()); };
  const bool shapes_fit = std::all_of(
      animation.shapes.begin(), animation.shapes.end(),
      [&](const MovingShape& shape) { return known(shape.body) && !shape.points.empty(); });
  const bool links_fit =
      std::all_of(animation.links.begin(), animation.links.end(),
                  [&](const MovingLink& link) { return known(link.a_body) && known(link.b_body); });
  if (animation.times.size() > 0 && animation.poses.rows() == animation.times.size() &&
      animation.poses.cols() == columns && shapes_fit && links_fit) {
    return;
  }
  throw InvalidInput(
      {.function = "render_html",
       .item = fmt::format("animation '{}'", animation.id),
       .rule = "must have a pose of each body for each time, and shapes of these bodies",
       .value =
           fmt::format("{} times, {} x {} poses and {} bodies", animation.times.size(),
                       animation.poses.rows(), animation.poses.cols(), animation.bodies.size())});
}

}  // namespace

std::string animation_html(const Animation& animation, const std::string& id, int number) {
  check_animation(animation);
  const std::string caption = animation.caption.empty() ? "" : " " + html(animation.caption) + ".";
  return fmt::format(
      "<figure class=\"animation\" id=\"{}\">\n{}{}<div class=\"player\"></div>\n"
      "<figcaption><b>Figure {}.</b> {}.{}</figcaption>\n"
      "<script type=\"application/json\">{}</script></figure>\n",
      id, legend(animation), svg(animation), number, html(animation.title), caption,
      frames_json(animation));
}

}  // namespace alembert::report
