#include "study/crank_cases.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "alembert/core/random.hpp"
#include "alembert/estimate/consistency.hpp"

namespace alembert::study {
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

std::shared_ptr<const model::planar::Mechanism> published_crank(const CrankModel& model) {
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
                .sigma = 0.03}};
  d.parameters = {model::planar::length_parameter(d, "crank", "O", "A"),
                  model::planar::length_parameter(d, "rod", "A", "B")};
  return std::make_shared<const model::planar::Mechanism>(d);
}

CrankRecord published_crank_record(double seconds, std::uint64_t seed, double bias) {
  const auto samples = static_cast<Index>(std::lround(1e3 * seconds));
  CrankRecord record{Eigen::VectorXd(samples), Eigen::MatrixXd(samples, 2),
                     Eigen::MatrixXd(samples, 3)};
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
    record.readings(k, 0) = reading - turn * std::floor(reading / turn);
    record.readings(k, 1) =
        slider_acceleration(theta, w, al) + bias + 0.03 * accelerometer.normal();
  }
  return record;
}

CrankScore score_crank(const CrankCase& one, double seconds, std::uint64_t seed) {
  const CrankRecord record = published_crank_record(seconds, seed, one.bias);
  const estimate::KinematicEstimate estimate =
      estimate::observe_record(published_crank(one.model), record.time, record.readings,
                               one.options, {.smooth = one.smooth, .keep_covariances = true});
  const Eigen::MatrixXd& mean = one.smooth ? estimate.smoothed_mean : estimate.mean;
  CrankScore score;
  score.ok = estimate.ok();
  score.acceleration_error = mean.col(2) - record.truth.col(2);
  double count = 0.0;
  for (Index k = 0; k < mean.rows(); ++k) {
    if (record.time(k) < one.scored_from) continue;
    const Eigen::Vector3d error = (mean.row(k).head(3) - record.truth.row(k)).transpose();
    score.velocity += error(1) * error(1);
    score.acceleration += error(2) * error(2);
    score.nis += estimate.nis(k);
    const Eigen::MatrixXd P = estimate.covariances[static_cast<std::size_t>(k)].topLeftCorner(3, 3);
    score.nees += estimate::nees(error, P);
    count += 1.0;
  }
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  score.velocity = std::sqrt(score.velocity / count);
  score.acceleration = std::sqrt(score.acceleration / count);
  score.nis = one.smooth ? kNone : score.nis / count;
  score.nees = one.smooth ? kNone : score.nees / count;
  return score;
}

}  // namespace alembert::study
