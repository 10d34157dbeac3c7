#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace alembert::document {

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

}  // namespace alembert::document
