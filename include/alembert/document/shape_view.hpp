#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace alembert::document {

/// One way in which the points of a structure move: point k is at
///   position_k + size Re(motion_k exp(iθ)),   θ from 0 to 2π and again.
struct ShapeMotion {
  std::string name;
  Eigen::MatrixXcd motion;  ///< points x 3
};

/// An arrow at a point: a sensor.
struct ShapeArrow {
  std::string name;
  Eigen::Index point = 0;
  Eigen::Vector3d direction = Eigen::Vector3d::UnitX();
};

/// A structure in space that moves in one of several shapes: a drawing that the reader turns.
struct ShapeView {
  std::string id;
  std::string title;
  std::vector<std::string> names = {};                   ///< of the points
  Eigen::MatrixXd points = {};                           ///< points x 3, z upwards
  std::vector<std::vector<Eigen::Index>> lines = {};     ///< polylines through points
  std::vector<std::vector<Eigen::Index>> surfaces = {};  ///< polygons of points
  std::vector<ShapeArrow> arrows = {};
  std::vector<ShapeMotion> shapes = {};
  std::string caption = {};
};

}  // namespace alembert::document
