#include "reproductions/two_link/observers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/estimate/consistency.hpp"
#include "reproductions/two_link/derivative.hpp"

namespace alembert::reproductions::two_link {
namespace {

using Eigen::Index;

constexpr double kRigNone = std::numeric_limits<double>::quiet_NaN();
constexpr int kRigLags = 20;

/// First counted sample and their number.
struct CountedSamples {
  Index first, count;
};

CountedSamples counted_samples(const Motion& motion, double from) {
  const double step = motion.time(1) - motion.time(0);
  const auto first = static_cast<Index>(std::lround(from / step));
  const auto margin = static_cast<Index>(std::lround(kMargin / step));
  return {first, motion.time.size() - first - margin};
}

// Mean NEES of `size` states from `place` on, by their part of the covariance.
double mean_nees(const estimate::KinematicEstimate& estimate, const Eigen::MatrixXd& truth,
                 const CountedSamples& counted, Index place, Index size) {
  double sum = 0.0;
  for (Index k = counted.first; k < counted.first + counted.count; ++k) {
    const Eigen::VectorXd error =
        (estimate.mean.row(k).segment(place, size) - truth.row(k).segment(place, size)).transpose();
    const Eigen::MatrixXd& P = estimate.covariances[static_cast<std::size_t>(k)];
    sum += estimate::nees(error, P.block(place, place, size, size));
  }
  return sum / static_cast<double>(counted.count);
}

double largest_correlation(const estimate::KinematicEstimate& estimate,
                           const CountedSamples& counted) {
  const Eigen::MatrixXd whitened =
      estimate.whitened.middleRows(counted.first, counted.count).transpose();
  double largest = 0.0;
  for (const double one : estimate::judge_whiteness(whitened, kRigLags).autocorrelation) {
    largest = std::max(largest, std::abs(one));
  }
  return largest;
}

void judge_consistency(const Case& one, const estimate::KinematicEstimate& estimate, Score& score) {
  score.nis = score.angle_nees = score.rate_nees = score.correlation = kRigNone;
  if (one.smooth) return;
  const CountedSamples counted = counted_samples(*one.motion, one.scored_from);
  score.nis = estimate.nis.segment(counted.first, counted.count).mean();
  score.angle_nees = mean_nees(estimate, one.motion->truth, counted, 0, 2);
  score.rate_nees = mean_nees(estimate, one.motion->truth, counted, 2, 4);
  score.correlation = largest_correlation(estimate, counted);
}

// Distance of the accelerometer from the joint of its link, as the observer was told.
double given_distance(const model::planar::Mechanism& mechanism, std::size_t link) {
  const auto& points = mechanism.description().bodies[link].points;
  return points[2].at.x() - points[0].at.x();
}

void judge_lengths(const Case& one, const estimate::KinematicEstimate& estimate, Score& score) {
  const Sizes truth;
  score.length_errors << given_distance(*one.mechanism, 0) - truth.upper_sensor,
      given_distance(*one.mechanism, 1) - truth.lower_sensor;
  score.length_deviations.setConstant(kRigNone);
  if (!one.options.output.geometry) return;
  const Index place = 2 * (one.options.output.motion == estimate::MotionModel::WhiteSnap ? 4 : 3);
  score.length_errors += estimate.mean.bottomRows(1).middleCols(place, 2).transpose();
  score.length_deviations = estimate.deviation.bottomRows(1).middleCols(place, 2).transpose();
}

}  // namespace

estimate::KinematicObserverOptions start_options(const model::planar::Mechanism& mechanism,
                                                 const Eigen::MatrixXd& readings) {
  estimate::KinematicObserverOptions options;
  options.start.z.resize(2);
  for (const int joint : {ShoulderEncoder, ElbowEncoder}) {
    const auto& sensor = mechanism.description().sensors[static_cast<std::size_t>(joint)];
    options.start.z(joint) = model::planar::physical_value(sensor, readings(0, joint));
  }
  // Wider than any motion of the two tests.
  options.start.sigma_zd = 5.0;
  options.start.sigma_zdd = 300.0;
  options.start.sigma_zddd = 2e4;
  return options;
}

Eigen::Vector4d rms_errors(const Motion& motion, const Eigen::MatrixXd& estimate,
                           double scored_from) {
  const auto [first, count] = counted_samples(motion, scored_from);
  const Eigen::MatrixXd error =
      estimate.block(first, 2, count, 4) - motion.truth.block(first, 2, count, 4);
  return (error.colwise().squaredNorm() / static_cast<double>(count)).cwiseSqrt().transpose();
}

Score score_case(const Case& one, std::uint64_t seed) {
  const Motion& motion = *one.motion;
  const Eigen::MatrixXd readings = read_sensors(motion, seed, one.encoders);
  estimate::KinematicObserverOptions options = one.options;
  options.start.z = start_options(*one.mechanism, readings).start.z;
  const estimate::KinematicEstimate estimate =
      estimate::observe_record(one.mechanism, motion.time, readings, options,
                               {.smooth = one.smooth, .keep_covariances = !one.smooth});
  Score score;
  score.ok = estimate.ok() && estimate.failed == 0;
  score.motion = (one.smooth ? estimate.smoothed_mean : estimate.mean).leftCols(6);
  score.rms = rms_errors(motion, score.motion, one.scored_from);
  score.outputs = static_cast<int>(estimate.outputs.size());
  judge_consistency(one, estimate, score);
  judge_lengths(one, estimate, score);
  return score;
}

Eigen::MatrixXd differentiate_encoders(const model::planar::Mechanism& mechanism,
                                       const Motion& motion, const Eigen::MatrixXd& readings,
                                       Index half_width) {
  const double step = motion.time(1) - motion.time(0);
  Eigen::MatrixXd found(readings.rows(), 6);
  for (const int joint : {ShoulderEncoder, ElbowEncoder}) {
    const auto& sensor = mechanism.description().sensors[static_cast<std::size_t>(joint)];
    found.col(joint) = readings.col(joint).unaryExpr(
        [&](double reading) { return model::planar::physical_value(sensor, reading); });
    found.col(2 + joint) = lanczos_derivative(found.col(joint), half_width, step);
    found.col(4 + joint) = lanczos_derivative(found.col(2 + joint), half_width, step);
  }
  return found;
}

}  // namespace alembert::reproductions::two_link
