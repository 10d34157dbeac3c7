#include "alembert/identify/mechanism/inverse_dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/signal/smoothing.hpp"
#include "core/algebra/decompositions.hpp"
#include "identify/mechanism/inverse_run.hpp"
#include "identify/mechanism/mechanism_run.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::CoordinatePath;
using model::planar::Mechanism;
using model::planar::MechanismDescription;

constexpr Index kFewestForSplines = 12;
constexpr int kMostInverseSteps = 30;
constexpr double kInverseSettled = 1e-6;  // of the largest change relative to its deviation
// The third derivative of a smoothing spline is poor near its ends; so many samples of 100.
constexpr double kSplineEnds = 0.03;

/// Where a coordinate is read: a column of the outputs.
struct CoordinateReader {
  Index column = -1;
};

std::vector<CoordinateReader> readers_of(const Mechanism& mechanism) {
  std::vector<CoordinateReader> readers(static_cast<std::size_t>(mechanism.coordinates()));
  const std::vector<int> sensors = motion_sensors(mechanism);
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    const auto& sensor = mechanism.description().sensors[static_cast<std::size_t>(sensors[i])];
    const int read = coordinate_read_by(mechanism.description(), sensor);
    if (read >= 0 && readers[static_cast<std::size_t>(read)].column < 0) {
      readers[static_cast<std::size_t>(read)].column = static_cast<Index>(i);
    }
  }
  return readers;
}

CoordinatePath spline_path(const Experiment& experiment,
                           const std::vector<CoordinateReader>& readers) {
  const Index samples = experiment.samples();
  const auto n = static_cast<Index>(readers.size());
  const VectorXd times =
      VectorXd::LinSpaced(samples, 0.0, experiment.step * static_cast<double>(samples - 1));
  CoordinatePath path{MatrixXd(samples, n), MatrixXd(samples, n), MatrixXd(samples, n)};
  for (Index i = 0; i < n; ++i) {
    const signal::PiecewisePolynomial spline =
        signal::smooth(times, experiment.output.col(readers[static_cast<std::size_t>(i)].column),
                       {.penalty = signal::Penalty::ThirdDerivative})
            .spline;
    path.z.col(i) = spline(times);
    path.zd.col(i) = spline.derivative(times, 1);
    path.zdd.col(i) = spline.derivative(times, 2);
  }
  return path;
}

// A force that is held jumps at the samples: smooth accelerations there are those of its mean.
MatrixXd columns_at_samples(const MatrixXd& input, signal::BetweenSamples between) {
  MatrixXd columns = input;
  if (between != signal::BetweenSamples::Held || input.rows() < 2) return columns;
  columns.bottomRows(input.rows() - 1) =
      0.5 * (input.topRows(input.rows() - 1) + input.bottomRows(input.rows() - 1));
  return columns;
}

/// Residuals τ and slopes Z of all experiments, without the ends of the splines.
class InverseRegression {
 public:
  InverseRegression(const MechanismValues& given, const std::vector<std::string>& names,
                    const Experiments& data, const MeasuredPath& measured,
                    signal::BetweenSamples between)
      : given_(given), names_(names), data_(data), measured_(measured) {
    for (const Experiment& one : data) columns_.push_back(columns_at_samples(one.input, between));
  }

  [[nodiscard]] VectorXd residuals(const VectorXd& theta) const {
    return stacked([&](std::size_t e) -> MatrixXd {
      return inverse_run(with_parameters(given_, names_, theta), measured_.paths[e], columns_[e]);
    });
  }
  [[nodiscard]] MatrixXd slopes(const VectorXd& theta) const {
    return stacked([&](std::size_t e) {
      return inverse_slopes(given_, names_, theta, measured_.paths[e], columns_[e]);
    });
  }
  /// Along the motion that θ gives from the first sample of the splines on; empty where it cannot
  /// be followed.
  [[nodiscard]] MatrixXd instruments(const VectorXd& theta, const RunSteps& steps) const {
    bool followed = true;
    MatrixXd all = stacked([&](std::size_t e) -> MatrixXd {
      const CoordinatePath& path = measured_.paths[e];
      const MechanismRun run =
          run_mechanism(with_parameters(given_, names_, theta), path.z.row(0).transpose(),
                        path.zd.row(0).transpose(), data_[e].input, data_[e].step, steps);
      followed = followed && run.ok();
      if (!run.ok()) return MatrixXd::Zero(path.z.size(), theta.size());
      return inverse_slopes(given_, names_, theta, run.path, columns_[e]);
    });
    return followed ? all : MatrixXd();
  }

 private:
  template <typename Part>
  MatrixXd stacked(const Part& part) const {
    std::vector<MatrixXd> parts;
    Index rows = 0;
    for (std::size_t e = 0; e < data_.size(); ++e) {
      const MatrixXd one = part(e);
      const Index n = measured_.paths[e].z.cols();
      const auto ends =
          static_cast<Index>(std::ceil(kSplineEnds * static_cast<double>(data_[e].samples())));
      parts.push_back(one.middleRows(ends * n, one.rows() - 2 * ends * n));
      rows += parts.back().rows();
    }
    MatrixXd all(rows, parts.front().cols());
    rows = 0;
    for (const MatrixXd& one : parts) {
      all.middleRows(rows, one.rows()) = one;
      rows += one.rows();
    }
    return all;
  }

  const MechanismValues& given_;
  const std::vector<std::string>& names_;
  const Experiments& data_;
  const MeasuredPath& measured_;
  std::vector<MatrixXd> columns_;
};

// One step of Zᵀ(r + J Δ) = 0 with columns of unit size, and the deviations for white residuals.
VectorXd instrument_step(const MatrixXd& Z, const MatrixXd& J, const VectorXd& r,
                         VectorXd& deviations) {
  const VectorXd sizes = Z.colwise().norm().cwiseMax(1e-300);
  const VectorXd scale = sizes.cwiseInverse();
  const MatrixXd Zs = Z * scale.asDiagonal();
  const MatrixXd Js = J * scale.asDiagonal();
  const Eigen::FullPivLU<MatrixXd> lu(Zs.transpose() * Js);
  const double freedom = std::max<double>(1.0, static_cast<double>(r.size() - Z.cols()));
  const MatrixXd inverse = lu.inverse();
  // cov = σ² (ZᵀJ)⁻¹ ZᵀZ (JᵀZ)⁻¹
  const MatrixXd covariance =
      r.squaredNorm() / freedom * inverse * (Zs.transpose() * Zs) * inverse.transpose();
  deviations = covariance.diagonal().cwiseSqrt().cwiseProduct(scale);
  return -(lu.solve(Zs.transpose() * r)).cwiseProduct(scale);
}

void fail(InverseDynamicsFit& fit, Status status, std::string message) {
  fit.status = status;
  fit.message = std::move(message);
}

void iterate(const InverseRegression& regression, const RunSteps& steps, InverseDynamicsFit& fit) {
  for (fit.iterations = 1; fit.iterations <= kMostInverseSteps; ++fit.iterations) {
    const VectorXd r = regression.residuals(fit.parameters);
    const MatrixXd J = regression.slopes(fit.parameters);
    const MatrixXd Z =
        fit.rule == InverseRule::LeastSquares ? J : regression.instruments(fit.parameters, steps);
    if (Z.size() == 0) {
      return fail(fit, Status::NotFinite,
                  "the motion that the parameters give cannot be followed to the end");
    }
    const VectorXd change = instrument_step(Z, J, r, fit.deviations);
    if (!change.allFinite()) {
      return fail(fit, Status::NotIdentifiable, "the motion does not tell all parameters apart");
    }
    fit.parameters += change;
    fit.residual = std::sqrt(r.squaredNorm() / static_cast<double>(r.size()));
    if (change.cwiseAbs().cwiseQuotient(fit.deviations.cwiseMax(1e-300)).maxCoeff() <
        kInverseSettled) {
      return;
    }
  }
  fail(fit, Status::NotConverged,
       fmt::format("no settled estimate after {} steps", kMostInverseSteps));
}

}  // namespace

MeasuredPath measured_path(const MechanismDescription& description, const Experiments& data) {
  check_experiments("measured_path", data);
  const Mechanism mechanism(description);
  const std::vector<CoordinateReader> readers = readers_of(mechanism);
  MeasuredPath found;
  for (std::size_t i = 0; i < readers.size(); ++i) {
    const std::string name = to_string(description.coordinates[i]);
    const Index column = readers[i].column;
    const bool enough =
        column >= 0 && std::all_of(data.begin(), data.end(), [&](const Experiment& one) {
          return one.output.col(column).array().isFinite().count() >= kFewestForSplines;
        });
    if (enough) continue;
    found.status = Status::NotIdentifiable;
    found.message = column < 0 ? "no sensor reads " + name + " itself"
                               : "too few readings of " + name + " for its derivatives";
    return found;
  }
  for (const Experiment& one : data) found.paths.push_back(spline_path(one, readers));
  return found;
}

InverseDynamicsFit fit_inverse_dynamics(const MechanismValues& given,
                                        const std::vector<std::string>& names,
                                        const VectorXd& theta, const Experiments& data,
                                        const MeasuredPath& measured, InverseRule rule,
                                        const InverseOptions& options) {
  check::size("fit_inverse_dynamics", "theta", theta.size(), static_cast<long long>(names.size()));
  InverseDynamicsFit fit;
  fit.rule = rule;
  fit.parameters = theta;
  if (!measured.ok()) {
    static_cast<Outcome&>(fit) = measured;
    return fit;
  }
  const InverseRegression regression(given, names, data, measured, options.between);
  try {
    iterate(regression, {.substeps = options.substeps, .between = options.between}, fit);
  } catch (const InvalidInput& error) {
    // A mass below zero, or a motion that noise puts out of reach.
    fail(fit, Status::NotFinite, error.reason());
  }
  return fit;
}

}  // namespace alembert::identify
