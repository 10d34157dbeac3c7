#include "reproductions/slider_crank/cases.hpp"

#include <cmath>
#include <numbers>

#include "alembert/core/random.hpp"

namespace alembert::reproductions::slider_crank {
namespace {

using Eigen::Index;
using model::planar::JointKind;
using model::planar::SensorKind;

constexpr double kTrueCrank = 0.14;
constexpr double kTrueRod = 0.56;

// Second derivative of y = l sin θ + √(r² - l² cos² θ).
double slider_acceleration(double theta, double w, double al) {
  const double s = std::sin(theta);
  const double c = std::cos(theta);
  const double square = kTrueCrank * kTrueCrank;
  const double root = std::sqrt(kTrueRod * kTrueRod - square * c * c);
  const double first = kTrueCrank * c + square * s * c / root;
  const double second = -kTrueCrank * s + square * (c * c - s * s) / root -
                        square * square * s * s * c * c / (root * root * root);
  return first * al + second * w * w;
}

}  // namespace

std::shared_ptr<const model::planar::Mechanism> crank_mechanism(const Model& model) {
  model::planar::MechanismDescription d;
  d.gravity.setZero();  // the plane is level
  d.bodies = {{.name = "crank", .points = {{"O", {0.0, 0.0}}, {"A", {model.crank, 0.0}}}},
              {.name = "rod",
               .points = {{"A", {0.0, 0.0}}, {"B", {model.rod, 0.0}}},
               .start = Eigen::Vector3d(model.crank, 0.0, 1.8)},
              {.name = "slider"}};
  d.joints = {{.name = "O", .b = "crank.O"},
              {.name = "A", .a = "crank.A", .b = "rod.A"},
              {.name = "B", .a = "rod.B", .b = "slider"},
              {.name = "guide", .kind = JointKind::Prismatic, .b = "slider", .axis = {0.0, 1.0}}};
  d.coordinates = {model::planar::parse_coordinate("angle(crank)")};
  d.sensors = {{.name = "encoder", .of = "crank", .wrap = true, .sigma = 0.003},
               {.name = "accelerometer",
                .kind = SensorKind::Acceleration,
                .of = "slider",
                .axis = {0.0, 1.0},
                .sigma = model.accelerometer_sigma}};
  d.parameters = {model::planar::length_parameter(d, "crank", "O", "A"),
                  model::planar::length_parameter(d, "rod", "A", "B")};
  return std::make_shared<const model::planar::Mechanism>(d);
}

double dead_centre_distance(double theta) {
  // The pin of the slider is above that of the crank: l cos θ + r cos θ_rod = 0, 0 < θ_rod < π.
  const double rod = std::acos(-kTrueCrank / kTrueRod * std::cos(theta));
  return std::abs(std::remainder(theta - rod, std::numbers::pi));
}

std::size_t zone_of(double distance) { return distance <= 0.08 ? 0 : distance <= 0.3 ? 1 : 2; }

Record crank_record(double seconds, std::uint64_t seed, double bias) {
  const auto samples = static_cast<Index>(std::lround(1e3 * seconds));
  Record record{
      Eigen::VectorXd(samples), Eigen::MatrixXd(samples, 2), Eigen::MatrixXd(samples, 3), {}};
  RandomStream encoder(seed, 1);
  RandomStream accelerometer(seed, 2);
  const double omega = 4.0 * std::numbers::pi;
  const double turn = 2.0 * std::numbers::pi;
  for (Index k = 0; k < samples; ++k) {
    const double t = 1e-3 * static_cast<double>(k);
    const double theta = 12.56 * t + 1.256 / omega * std::sin(omega * t);
    const double w = 12.56 + 1.256 * std::cos(omega * t);
    const double al = -1.256 * omega * std::sin(omega * t);
    const double reading = theta + 0.003 * encoder.normal();
    record.time(k) = t;
    record.truth.row(k) << theta, w, al;
    record.zone.push_back(zone_of(dead_centre_distance(theta)));
    record.readings(k, 0) = reading - turn * std::floor(reading / turn);
    record.readings(k, 1) =
        slider_acceleration(theta, w, al) + bias + 0.03 * accelerometer.normal();
  }
  return record;
}

}  // namespace alembert::reproductions::slider_crank
