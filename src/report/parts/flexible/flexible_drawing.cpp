#include "report/parts/flexible/flexible_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/page/text.hpp"

namespace alembert::report {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::flexible::FlexibleMechanism;
using model::flexible::FlexibleState;

constexpr Index kMostBentFrames = 500;
constexpr int kPieces = 4;  // straight lines that draw an element
constexpr double kShownDeflection =
    0.08;  // of the size of the mechanism, where the scale is chosen
constexpr std::size_t kMostShownModes = 12;
constexpr double kSmallMotion = 1e-6;  // of the displacements: the drawing is linear in them

/// Points that draw a mechanism: those along each flexible body, then one for each rigid body.
struct DrawnPoints {
  MatrixXd at;  ///< points x 2
  std::vector<std::vector<Index>> lines;
  std::vector<Index> pins;
  std::vector<std::string> names;
};

DrawnPoints drawn_points(const FlexibleMechanism& mechanism, const FlexibleState& state,
                         double scale) {
  DrawnPoints made;
  std::vector<Eigen::Vector2d> points;
  for (const auto& body : mechanism.description().bodies) {
    const Eigen::MatrixX2d bent = mechanism.shape_of(body.name, state, scale, kPieces);
    std::vector<Index> line;
    for (Index i = 0; i < bent.rows(); ++i) {
      line.push_back(static_cast<Index>(points.size()));
      points.emplace_back(bent.row(i).transpose());
      const bool end = i == 0 || i + 1 == bent.rows();
      if (end) made.pins.push_back(line.back());
      made.names.push_back(end ? body.name : "");
    }
    made.lines.push_back(std::move(line));
  }
  for (const auto& body : mechanism.description().mechanism.bodies) {
    const auto& flexible = mechanism.description().bodies;
    const bool bends = std::any_of(flexible.begin(), flexible.end(),
                                   [&](const auto& one) { return one.name == body.name; });
    if (bends || body.name == "ground") continue;
    made.pins.push_back(static_cast<Index>(points.size()));
    made.names.push_back(body.name);
    points.push_back(mechanism.position_of(body.name, state));
  }
  made.at.resize(static_cast<Index>(points.size()), 2);
  for (Index i = 0; i < made.at.rows(); ++i) {
    made.at.row(i) = points[static_cast<std::size_t>(i)].transpose();
  }
  return made;
}

// A round number, 1, 2 or 5 times a power of ten, not below 1.
double round_scale(double value) {
  if (!(value > 1.0)) return 1.0;
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  const double digit = value / power;
  return power * (digit >= 5.0 ? 5.0 : digit >= 2.0 ? 2.0 : 1.0);
}

double drawing_scale(const study::MovedFlexible& moved, const study::FlexibleOutcome& found) {
  if (moved.deflection_scale > 0.0) return moved.deflection_scale;
  double largest = 0.0;
  for (const study::LargestDeflection& one : found.deflections) {
    largest = std::max(largest, one.deflection);
  }
  if (!(largest > 0.0)) return 1.0;
  return std::min(1e6, round_scale(kShownDeflection * moved.mechanism->rigid().size() / largest));
}

void go_to(const FlexibleMechanism& mechanism, const VectorXd& x, FlexibleState& state) {
  (void)mechanism.move({x.data(), static_cast<std::size_t>(x.size())}, state);
}

// A body for each point, links between them and pins.
void add_parts(const DrawnPoints& points, Index frames, Animation& animation) {
  animation.bodies.assign(static_cast<std::size_t>(points.at.rows()), "");
  animation.poses = MatrixXd::Zero(frames, 3 * points.at.rows());
  for (const std::vector<Index>& line : points.lines) {
    for (std::size_t i = 1; i < line.size(); ++i) {
      animation.links.push_back({static_cast<int>(line[i - 1]), static_cast<int>(line[i]),
                                 Eigen::Vector2d::Zero(), Eigen::Vector2d::Zero()});
    }
  }
  for (const Index pin : points.pins) {
    animation.shapes.push_back({.kind = MovingShape::Kind::Pin,
                                .body = static_cast<int>(pin),
                                .points = {Eigen::Vector2d::Zero()}});
  }
}

MatrixXd in_space(const MatrixXd& plane) {
  MatrixXd space = MatrixXd::Zero(plane.rows(), 3);
  space.col(0) = plane.col(0);
  space.col(2) = plane.col(1);
  return space;
}

}  // namespace

Animation flexible_animation(const study::MovedFlexible& moved,
                             const study::FlexibleOutcome& found) {
  const double scale = drawing_scale(moved, found);
  Animation animation{
      .id = "mechanism",
      .title = "The mechanism as it moves",
      .caption = scale == 1.0 ? "Deflections as they are"
                              : fmt::format("Deflections {:g} times as large as they are", scale)};
  const Index samples = found.run.states.rows();
  const Index stride = (samples + kMostBentFrames - 1) / kMostBentFrames;
  const Index frames = (samples + stride - 1) / stride;
  FlexibleState state = moved.mechanism->start();
  animation.times.resize(frames);
  for (Index k = 0; k < frames; ++k) {
    go_to(*moved.mechanism, found.run.states.row(k * stride), state);
    const DrawnPoints points = drawn_points(*moved.mechanism, state, scale);
    if (k == 0) add_parts(points, frames, animation);
    animation.times(k) = found.run.time(k * stride);
    for (Index i = 0; i < points.at.rows(); ++i) {
      animation.poses.row(k).segment(3 * i, 2) = points.at.row(i);
    }
  }
  // Ten seconds for the whole, as a power of two of the real speed.
  const double duration = animation.times(frames - 1) - animation.times(0);
  if (duration > 0.0) {
    animation.speed = std::exp2(std::round(std::log2(std::min(1.0, duration / 10.0))));
  }
  return animation;
}

ShapeView flexible_shapes(const study::MovedFlexible& moved, const study::FlexibleOutcome& found) {
  const FlexibleMechanism& mechanism = *moved.mechanism;
  FlexibleState state = mechanism.start();
  go_to(mechanism, found.rest.x, state);
  const DrawnPoints rest = drawn_points(mechanism, state, 1.0);
  ShapeView view{.id = "moving-shapes",
                 .title = "Modes in motion",
                 .names = rest.names,
                 .points = in_space(rest.at),
                 .lines = rest.lines,
                 .caption = "Drag the picture to turn it. Dashed: the mechanism at rest"};
  const Index n = mechanism.unknowns();
  const double step = kSmallMotion * mechanism.rigid().size();
  const auto motion_along = [&](const VectorXd& direction) -> MatrixXd {
    VectorXd low = found.rest.x, high = found.rest.x;
    low.head(n) -= step * direction;
    high.head(n) += step * direction;
    go_to(mechanism, high, state);
    const MatrixXd there = drawn_points(mechanism, state, 1.0).at;
    go_to(mechanism, low, state);
    return in_space((there - drawn_points(mechanism, state, 1.0).at) / (2.0 * step));
  };
  for (std::size_t i = 0; i < std::min(kMostShownModes, found.modes.size()); ++i) {
    const model::DampedMode& mode = found.modes[i];
    Eigen::MatrixXcd motion(rest.at.rows(), 3);
    motion.real() = motion_along(mode.shape.real());
    motion.imag() = motion_along(mode.shape.imag());
    view.shapes.push_back(
        {.name = fmt::format("mode {}, {} Hz", i + 1, significant(mode.frequency_hz, 4)),
         .motion = std::move(motion)});
  }
  return view;
}

}  // namespace alembert::report
