#include "report/parts/mechanism_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "report/parts/mechanism_shapes.hpp"

namespace alembert::report {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;

constexpr Index kMostFrames = 1500;
constexpr Index kMostTraced = 600;     // frames
constexpr double kLargestTurn = 0.5;   // rad between frames: more is a leap
constexpr double kTurnsPerSecond = 1;  // shown at first, at most

// Poses of all samples at their coordinates and geometry; where the mechanism cannot be put, it
// stays where it was. `geometry` has no columns, or one for each parameter.
MatrixXd poses_along(const model::planar::Mechanism& mechanism, const Eigen::VectorXd& start,
                     const MatrixXd& coordinates, const MatrixXd& geometry) {
  model::planar::MechanismState state = mechanism.make_state();
  MatrixXd poses(coordinates.rows(), mechanism.unknowns());
  if (geometry.cols() > 0) state.p = geometry.row(0).transpose();
  const model::planar::Assembly assembly = mechanism.assemble(start, state);
  if (!assembly.ok()) return {};
  for (Index k = 0; k < coordinates.rows(); ++k) {
    const Eigen::VectorXd row = coordinates.row(k).transpose();
    if (geometry.cols() > 0) state.p = geometry.row(k).transpose();
    (void)mechanism.solve_position({row.data(), static_cast<std::size_t>(row.size())}, state);
    poses.row(k) = state.q.transpose();
  }
  return poses;
}

MatrixXd poses_of(const study::ObserveResult& result) {
  const model::planar::Mechanism& mechanism = *result.study.mechanism;
  const estimate::KinematicEstimate& estimate = result.estimate;
  const MatrixXd& mean = result.study.options.smooth ? estimate.smoothed_mean : estimate.mean;
  Index first_length = 0;
  for (const estimate::StateColumn& one : result.states) {
    first_length += one.derivative >= 0 ? 1 : 0;
  }
  const Index lengths = result.study.options.output.geometry ? mechanism.parameters() : 0;
  return poses_along(mechanism, result.study.options.start.z,
                     mean.leftCols(mechanism.coordinates()),
                     mean.middleCols(lengths > 0 ? first_length : 0, lengths));
}

// Samples between frames when so many samples are shown.
Index stride_for(Index samples) { return (samples + kMostFrames - 1) / kMostFrames; }

double largest_turn(const MatrixXd& poses, Index samples, Index stride) {
  double largest = 0.0;
  for (Index k = stride; k < samples; k += stride) {
    for (Index j = 2; j < poses.cols(); j += 3) {
      largest = std::max(largest, std::abs(poses(k, j) - poses(k - stride, j)));
    }
  }
  return largest;
}

// How many samples can be shown without leaps: all of them, or the first half, quarter, ...
Index shown_samples(const MatrixXd& poses) {
  Index samples = poses.rows();
  while (stride_for(samples) > 1 &&
         largest_turn(poses, samples, stride_for(samples)) > kLargestTurn) {
    samples = (samples + 1) / 2;
  }
  return samples;
}

// A power of two that keeps the fastest body below kTurnsPerSecond.
double first_speed(const Animation& animation) {
  double rate = 0.0;
  for (Index k = 1; k < animation.times.size(); ++k) {
    const double step = animation.times(k) - animation.times(k - 1);
    for (Index j = 2; j < animation.poses.cols(); j += 3) {
      rate = std::max(rate, std::abs(animation.poses(k, j) - animation.poses(k - 1, j)) / step);
    }
  }
  const double turns = rate / (2.0 * std::numbers::pi);
  return turns <= kTurnsPerSecond ? 1.0 : std::exp2(std::floor(std::log2(kTurnsPerSecond / turns)));
}

// Paths of the points of all bodies that do not stand still.
void add_traces(const model::planar::Mechanism& mechanism, Animation& animation) {
  const Index frames = std::min(kMostTraced, animation.times.size());
  int index = 0;
  for (const model::planar::Body& body : mechanism.description().bodies) {
    if (body.name == "ground") continue;
    for (const model::planar::NamedPoint& point : body.points) {
      std::vector<Vector2d> trace;
      double way = 0.0;
      for (Index k = 0; k < frames; ++k) {
        const auto pose = animation.poses.row(k).segment(3 * index, 3);
        const double c = std::cos(pose(2));
        const double s = std::sin(pose(2));
        trace.emplace_back(pose(0) + c * point.at.x() - s * point.at.y(),
                           pose(1) + s * point.at.x() + c * point.at.y());
        way = std::max(way, (trace.back() - trace.front()).norm());
      }
      if (way > 1e-3 * mechanism.size()) animation.traces.push_back(std::move(trace));
    }
    ++index;
  }
}

// Frames of poses at their times.
void animate(const model::planar::Mechanism& mechanism, const signal::TimeAxis& time,
             const MatrixXd& poses, Animation& animation) {
  if (poses.rows() == 0) return;
  const Index samples = shown_samples(poses);
  const Index stride = stride_for(samples);
  const Index frames = (samples + stride - 1) / stride;
  animation.bodies = mechanism.bodies();
  animation.times.resize(frames);
  animation.poses.resize(frames, poses.cols());
  for (Index k = 0; k < frames; ++k) {
    animation.times(k) = time[k * stride];
    animation.poses.row(k) = poses.row(k * stride);
  }
  animation.speed = first_speed(animation);
  if (samples < poses.rows()) {
    animation.caption = fmt::format("Shown are the first {:.3g} s of the record",
                                    animation.times(frames - 1) - animation.times(0));
  }
  add_mechanism_shapes(mechanism, animation);
  add_traces(mechanism, animation);
}

}  // namespace

Animation mechanism_animation(const study::ObserveResult& result) {
  Animation animation{.id = "mechanism", .title = "The mechanism as it moves by the estimate"};
  // A method that failed has no motion to show.
  if (result.estimate.mean.cols() < result.study.mechanism->coordinates()) return animation;
  animate(*result.study.mechanism, result.study.time, poses_of(result), animation);
  return animation;
}

Animation mechanism_animation(const study::SimulateResult& result) {
  Animation animation{.id = "mechanism", .title = "The mechanism as it moves"};
  if (result.experiments.empty()) return animation;
  const study::MovedMechanism& moved = *result.study.mechanism();
  const signal::Record& truth = result.experiments.front().truth;
  const MatrixXd z = truth.samples().leftCols(moved.mechanism->coordinates());
  const MatrixXd geometry = moved.lengths.transpose().replicate(z.rows(), 1);
  animate(*moved.mechanism, truth.time(),
          poses_along(*moved.mechanism, z.row(0).transpose(), z, geometry), animation);
  return animation;
}

}  // namespace alembert::report
