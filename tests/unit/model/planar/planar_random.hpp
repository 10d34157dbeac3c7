#pragma once

// Mechanisms drawn at random, for properties that hold for all.

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "unit/model/planar/planar_examples.hpp"

namespace alembert::test {

/// A random tree of bars on pins, slides with a cylinder, and gears, and loops closed by two
/// further bars, which take away no freedom. Drawn in a known position, so that it can be
/// assembled.
class RandomMechanism {
 public:
  explicit RandomMechanism(unsigned seed) : engine_(seed) {}

  MechanismDescription made(int bodies, int loops) {
    for (int i = 0; i < bodies; ++i) add_body();
    for (int i = 0; i < loops; ++i) add_loop();
    return description_;
  }
  [[nodiscard]] Eigen::VectorXd start() const {
    return Eigen::Map<const Eigen::VectorXd>(z_.data(), static_cast<Eigen::Index>(z_.size()));
  }

 private:
  double number(double lower, double upper) {
    return std::uniform_real_distribution<double>(lower, upper)(engine_);
  }
  int below(int bound) { return static_cast<int>(engine_() % static_cast<unsigned>(bound)); }

  static Eigen::Vector2d place(const Body& body, const Eigen::Vector2d& at) {
    const double c = std::cos((*body.start)(2)), s = std::sin((*body.start)(2));
    return {(*body.start)(0) + c * at.x() - s * at.y(), (*body.start)(1) + s * at.x() + c * at.y()};
  }

  Body new_body() {
    Body body =
        bar("b" + std::to_string(description_.bodies.size()), number(0.3, 0.8), number(0.5, 2.0));
    body.start = Eigen::Vector3d(0.0, 0.0, number(-3.0, 3.0));
    return body;
  }

  // End B of an earlier body, or the ground.
  void add_body() {
    Body body = new_body();
    const int count = static_cast<int>(description_.bodies.size());
    const int to = below(count + 1) - 1;
    const bool on_ground = to < 0;
    const std::string base =
        on_ground ? "ground" : description_.bodies[static_cast<std::size_t>(to)].name;
    const std::string pin = on_ground ? "ground" : base + ".B";
    const Eigen::Vector2d at =
        on_ground ? Eigen::Vector2d::Zero()
                  : place(description_.bodies[static_cast<std::size_t>(to)],
                          description_.bodies[static_cast<std::size_t>(to)].points[1].at);
    const double base_angle =
        on_ground ? 0.0 : (*description_.bodies[static_cast<std::size_t>(to)].start)(2);
    if (below(3) == 0) {
      // A slide: along the base, at its own angle, moved by a cylinder.
      const double travel = number(0.4, 0.9);
      const double angle = number(-1.0, 1.0);
      (*body.start)(2) = base_angle + angle;
      const Eigen::Vector2d along(std::cos(base_angle), std::sin(base_angle));
      body.start->head(2) += at + travel * along - place(body, body.points[0].at);
      description_.joints.push_back({.name = "slide " + body.name,
                                     .kind = JointKind::Prismatic,
                                     .a = pin,
                                     .b = body.name + ".A",
                                     .angle = angle});
      description_.joints.push_back({.name = "ram " + body.name,
                                     .kind = JointKind::Cylinder,
                                     .a = pin,
                                     .b = body.name + ".A"});
      description_.coordinates.push_back(
          {.kind = model::planar::CoordinateKind::Length, .of = "ram " + body.name});
      z_.push_back(travel);
    } else {
      body.start->head(2) += at - place(body, body.points[0].at);
      description_.joints.push_back({.name = "pin " + body.name, .a = pin, .b = body.name + ".A"});
      description_.coordinates.push_back({.of = body.name, .relative_to = base});
      z_.push_back((*body.start)(2) - base_angle);
    }
    description_.bodies.push_back(body);
  }

  // Two bars from the end of a body to the ground, well away from being stretched.
  void add_loop() {
    const int from = below(static_cast<int>(description_.coordinates.size()));
    const Body& body = description_.bodies[static_cast<std::size_t>(from)];
    const std::string end = body.name + ".B";
    const Eigen::Vector2d tip = place(body, body.points[1].at);
    Body first = new_body(), second = new_body();
    second.name += "'";
    first.start->head(2) += tip - place(first, first.points[0].at);
    const Eigen::Vector2d knee = place(first, first.points[1].at);
    (*second.start)(2) = (*first.start)(2) + (below(2) == 0 ? 1.0 : -1.0) * number(0.8, 2.2);
    second.start->head(2) += knee - place(second, second.points[0].at);
    description_.joints.push_back({.name = "tip " + first.name, .a = end, .b = first.name + ".A"});
    description_.joints.push_back(
        {.name = "knee " + first.name, .a = first.name + ".B", .b = second.name + ".A"});
    grounds_.push_back({"G" + std::to_string(grounds_.size()), place(second, second.points[1].at)});
    description_.joints.push_back({.name = "foot " + second.name,
                                   .a = "ground." + grounds_.back().name,
                                   .b = second.name + ".B"});
    description_.bodies.push_back(first);
    description_.bodies.push_back(second);
    auto& all = description_.bodies;
    all.erase(
        std::remove_if(all.begin(), all.end(), [](const Body& b) { return b.name == "ground"; }),
        all.end());
    all.push_back({.name = "ground", .points = grounds_});
  }

  std::mt19937_64 engine_;
  MechanismDescription description_;
  std::vector<model::planar::NamedPoint> grounds_;
  std::vector<double> z_;
};

}  // namespace alembert::test
