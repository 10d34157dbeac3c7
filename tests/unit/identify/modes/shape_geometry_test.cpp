#include "alembert/identify/modes/shape_geometry.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <complex>
#include <random>

#include "alembert/core/error.hpp"

namespace shape_geometry_test {
namespace {

using alembert::InvalidInput;
using alembert::identify::node_motion;
using alembert::identify::SensorPlace;
using alembert::identify::ShapeGeometry;
using alembert::identify::still_nodes;
using Complex = std::complex<double>;
using Eigen::Vector3d;

// A few operations on numbers of size 1, through a singular value decomposition of up to 6 columns.
constexpr double kRounding = 200.0 * 2.3e-16;

ShapeGeometry square() {
  ShapeGeometry geometry;
  geometry.nodes = {"1", "2", "3", "4"};
  geometry.positions.resize(4, 3);
  geometry.positions << 0, 0, 3, 6, 0, 3, 6, 4, 3, 0, 4, 3;
  return geometry;
}

Vector3d random_direction(std::mt19937_64& engine) {
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  return Vector3d(entry(engine), entry(engine), entry(engine)).normalized();
}

// One sensor gives its own direction, the others stand still.
TEST(NodeMotion, OneSensorMovesItsNodeAlongItself) {
  const Vector3d d = Vector3d(0.6, 0.0, -0.8);
  const std::vector<SensorPlace> sensors = {{.node = 2, .direction = d}};
  const Eigen::MatrixXcd motion =
      node_motion(square(), sensors, Eigen::VectorXcd::Constant(1, Complex(2.0, -1.0)));
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(std::abs(motion(2, k) - Complex(2.0, -1.0) * d(k)), 0.0, kRounding);
  }
  EXPECT_EQ(motion.row(0).norm() + motion.row(1).norm() + motion.row(3).norm(), 0.0);
  EXPECT_EQ(still_nodes(square(), sensors), (std::vector<Eigen::Index>{0, 1, 3}));
}

// Property: three skew sensors at a node give back the motion that they were made from.
TEST(NodeMotion, ThreeSensorsGiveTheWholeMotion) {
  std::mt19937_64 engine(4711);
  for (int trial = 0; trial < 50; ++trial) {
    const Eigen::Vector3cd u = random_direction(engine) + Complex(0, 1) * random_direction(engine);
    std::vector<SensorPlace> sensors;
    Eigen::Matrix3d directions;
    Eigen::VectorXcd shape(3);
    for (int k = 0; k < 3; ++k) {
      sensors.push_back({.node = 1, .direction = random_direction(engine)});
      directions.row(k) = sensors.back().direction.transpose();
      shape(k) = (directions.row(k).cast<Complex>() * u)(0);
    }
    const Eigen::Vector3d widths = directions.jacobiSvd().singularValues();
    if (widths(2) < 0.05) continue;
    const Eigen::MatrixXcd motion = node_motion(square(), sensors, shape);
    EXPECT_LT((motion.row(1).transpose() - u).norm(), kRounding / widths(2)) << trial;
  }
}

// Two x sensors and one y sensor on a floor that shifts and turns: u = t + ω × r at all corners.
TEST(NodeMotion, ARigidFloorMovesAsABody) {
  ShapeGeometry geometry = square();
  geometry.rigid = {{0, 1, 2, 3}};
  const double turn = 0.3;
  const Vector3d shift(1.0, -0.5, 0.0);
  const auto truth = [&](Eigen::Index k) -> Vector3d {
    const Vector3d r = geometry.positions.row(k).transpose() - Vector3d(3.0, 2.0, 3.0);
    return shift + turn * Vector3d::UnitZ().cross(r);
  };
  const std::vector<SensorPlace> sensors = {{.node = 0, .direction = Vector3d::UnitX()},
                                            {.node = 0, .direction = Vector3d::UnitY()},
                                            {.node = 2, .direction = Vector3d::UnitX()}};
  Eigen::VectorXcd shape(3);
  shape << truth(0).x(), truth(0).y(), truth(2).x();
  const Eigen::MatrixXcd motion = node_motion(geometry, sensors, shape);
  for (Eigen::Index k = 0; k < 4; ++k) {
    EXPECT_LT((motion.row(k).transpose().real() - truth(k)).norm(), kRounding) << k;
    EXPECT_LT(motion.row(k).imag().norm(), kRounding) << k;
  }
  EXPECT_TRUE(still_nodes(geometry, sensors).empty());
}

// Six sensors in general position know any rigid motion.
TEST(NodeMotion, SixSensorsKnowARigidBody) {
  std::mt19937_64 engine(99);
  ShapeGeometry geometry = square();
  geometry.positions(2, 2) = 5.0;
  geometry.rigid = {{0, 1, 2, 3}};
  const Vector3d centre = geometry.positions.colwise().mean().transpose();
  const Vector3d shift = random_direction(engine);
  const Vector3d turn = random_direction(engine);
  std::vector<SensorPlace> sensors;
  Eigen::VectorXcd shape(8);
  const auto truth = [&](Eigen::Index k) -> Vector3d {
    const Vector3d r = geometry.positions.row(k).transpose() - centre;
    return shift + turn.cross(r);
  };
  for (Eigen::Index k = 0; k < 8; ++k) {
    sensors.push_back({.node = k % 4, .direction = random_direction(engine)});
    shape(k) = sensors.back().direction.dot(truth(k % 4));
  }
  const Eigen::MatrixXcd motion = node_motion(geometry, sensors, shape);
  // 100: bound of the condition of eight random directions on a body of this form.
  for (Eigen::Index k = 0; k < 4; ++k) {
    EXPECT_LT((motion.row(k).transpose().real() - truth(k)).norm(), 100.0 * kRounding) << k;
  }
}

TEST(NodeMotion, NamesWhatIsWrong) {
  const std::vector<SensorPlace> lost = {{.node = -1}, {.node = 4}};
  EXPECT_THROW((void)node_motion(square(), lost, Eigen::VectorXcd::Ones(2)), InvalidInput);
  EXPECT_THROW((void)node_motion(square(), {}, Eigen::VectorXcd::Ones(1)), InvalidInput);
  ShapeGeometry twice = square();
  twice.rigid = {{0, 1}, {1, 2}};
  EXPECT_THROW((void)still_nodes(twice, {}), InvalidInput);
  EXPECT_EQ(node_motion(square(), {{.node = -1}}, Eigen::VectorXcd::Ones(1)).norm(), 0.0);
}

}  // namespace
}  // namespace shape_geometry_test
