#include "alembert/model/planar/move_mechanism.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "alembert/core/check.hpp"
#include "alembert/core/text.hpp"

namespace alembert::model::planar {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

using Times = Eigen::Ref<const VectorXd>;

/// Value and derivatives of a law at all times, 3 columns; one overload for each kind.
struct LawSampler {
  const Times& times;

  Eigen::MatrixX3d operator()(const TimeFormula& formula) const { return formula.sample(times); }
  Eigen::MatrixX3d operator()(const signal::PiecewisePolynomial& curve) const {
    Eigen::MatrixX3d values(times.size(), 3);
    for (int order = 0; order < 3; ++order) values.col(order) = curve.derivative(times, order);
    return values;
  }
};

void check_move(const Mechanism& mechanism, Index samples, const CoordinatePath& path,
                const MoveOptions& options) {
  const char* name = "move_mechanism";
  check::shape(name, "path.z", path.z, samples, mechanism.coordinates());
  check::shape(name, "path.zd", path.zd, samples, mechanism.coordinates());
  check::shape(name, "path.zdd", path.zdd, samples, mechanism.coordinates());
  if (options.lengths.size() == 0) return;
  check::size(name, "lengths", options.lengths.size(), mechanism.parameters());
  check::all_finite(name, "lengths", options.lengths);
}

std::string coordinate_name(const Mechanism& mechanism, Index i) {
  return to_string(mechanism.description().coordinates[static_cast<std::size_t>(i)]);
}

std::string coordinates_words(const Mechanism& mechanism, const VectorXd& z) {
  std::vector<std::string> parts;
  for (Index i = 0; i < z.size(); ++i) {
    parts.push_back(fmt::format("{} = {:.6g}", coordinate_name(mechanism, i), z(i)));
  }
  return join(parts, ", ");
}

Outcome not_reached(const Mechanism& mechanism, double time, const VectorXd& z, Status status,
                    const std::string& reason) {
  return {status,
          fmt::format("at t = {:.6g} s, {}: {}", time, coordinates_words(mechanism, z), reason)};
}

Status status_of(StepStatus step) {
  switch (step) {
    case StepStatus::Success:
      return Status::Success;
    case StepStatus::NotReached:
    case StepStatus::BranchChange:
      return Status::NotConverged;
    case StepStatus::Singular:
      return Status::NotIdentifiable;
    case StepStatus::NotFinite:
      break;
  }
  return Status::NotFinite;
}

/// A mechanism on its way along a path.
class Mover {
 public:
  Mover(const Mechanism& mechanism, const MoveOptions& options)
      : mechanism_(mechanism), options_(options), state_(mechanism.make_state()) {
    if (options.lengths.size() > 0) state_.p = options.lengths;
  }

  // Row k of the path; the first one is where the mechanism is assembled.
  Outcome go(double time, const CoordinatePath& path, Index k) {
    const std::array<VectorXd, 3> row = {path.z.row(k), path.zd.row(k), path.zdd.row(k)};
    if (Outcome finite = check_finite(time, row); !finite.ok()) return finite;
    if (k == 0) {
      const Assembly assembly = mechanism_.assemble(row[0], state_);
      if (!assembly.ok()) {
        return not_reached(mechanism_, time, row[0], assembly.status, assembly.message);
      }
    }
    const StepStatus status = mechanism_.solve_position(span_of(row[0]), state_);
    if (status != StepStatus::Success) {
      return not_reached(mechanism_, time, row[0], status_of(status),
                         mechanism_.explain(status, row[0], state_));
    }
    mechanism_.solve_velocity(span_of(row[1]), state_);
    mechanism_.solve_acceleration(span_of(row[2]), state_);
    return {};
  }

  void keep(Index k, MechanismMotion& motion) const {
    for (int s = 0; s < mechanism_.sensors(); ++s) {
      motion.readings(k, s) = mechanism_.sensor_value(s, state_);
    }
    if (!options_.poses) return;
    motion.q.row(k) = state_.q.transpose();
    motion.qd.row(k) = state_.qd.transpose();
    motion.qdd.row(k) = state_.qdd.transpose();
  }

 private:
  static std::span<const double> span_of(const VectorXd& values) {
    return {values.data(), static_cast<std::size_t>(values.size())};
  }

  // A formula may leave the numbers where it still has a position, in its derivatives.
  [[nodiscard]] Outcome check_finite(double time, const std::array<VectorXd, 3>& row) const {
    static constexpr std::array<const char*, 3> kOf = {"position", "velocity", "acceleration"};
    for (std::size_t order = 0; order < row.size(); ++order) {
      for (Index i = 0; i < row[order].size(); ++i) {
        if (std::isfinite(row[order](i))) continue;
        return {Status::NotFinite, fmt::format("the {} of {} is not finite at t = {:.6g} s",
                                               kOf[order], coordinate_name(mechanism_, i), time)};
      }
    }
    return {};
  }

  const Mechanism& mechanism_;
  const MoveOptions& options_;
  MechanismState state_;
};

void resize(const Mechanism& mechanism, Index samples, bool poses, MechanismMotion& motion) {
  motion.readings.conservativeResize(samples, mechanism.sensors());
  if (!poses) return;
  for (MatrixXd* values : {&motion.q, &motion.qd, &motion.qdd}) {
    values->conservativeResize(samples, mechanism.unknowns());
  }
}

}  // namespace

CoordinatePath sample_laws(const std::vector<CoordinateLaw>& laws, const Times& times) {
  const auto n = static_cast<Index>(laws.size());
  CoordinatePath path{MatrixXd(times.size(), n), MatrixXd(times.size(), n),
                      MatrixXd(times.size(), n)};
  for (Index i = 0; i < n; ++i) {
    const Eigen::MatrixX3d one = std::visit(LawSampler{times}, laws[static_cast<std::size_t>(i)]);
    path.z.col(i) = one.col(0);
    path.zd.col(i) = one.col(1);
    path.zdd.col(i) = one.col(2);
  }
  return path;
}

MechanismMotion move_mechanism(const Mechanism& mechanism, const Times& times,
                               const CoordinatePath& path, const MoveOptions& options) {
  check_move(mechanism, times.size(), path, options);
  MechanismMotion motion;
  resize(mechanism, times.size(), options.poses, motion);
  Mover mover(mechanism, options);
  for (Index k = 0; k < times.size(); ++k) {
    static_cast<Outcome&>(motion) = mover.go(times(k), path, k);
    if (!motion.ok()) {
      resize(mechanism, k, options.poses, motion);
      return motion;
    }
    mover.keep(k, motion);
  }
  return motion;
}

MechanismMotion move_mechanism(const Mechanism& mechanism, const Times& times,
                               const std::vector<CoordinateLaw>& laws, const MoveOptions& options) {
  check::size("move_mechanism", "laws", static_cast<Index>(laws.size()), mechanism.coordinates());
  return move_mechanism(mechanism, times, sample_laws(laws, times), options);
}

}  // namespace alembert::model::planar
