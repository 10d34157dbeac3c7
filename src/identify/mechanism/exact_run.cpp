#include "identify/mechanism/exact_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::CompiledMechanism;
using model::planar::CompiledState;
using model::planar::Mechanism;
using model::planar::MechanismDescription;
using model::planar::StepStatus;

std::span<const double> numbers_in(const VectorXd& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}

// Offsets of sensors have no part in the motion.
bool is_offset(const MechanismDescription& description, const std::string& name) {
  return std::any_of(description.sensors.begin(), description.sensors.end(),
                     [&](const auto& sensor) { return name == sensor.name + ".offset"; });
}

std::vector<std::string> moving_names(const MechanismDescription& description,
                                      const std::vector<std::string>& names) {
  std::vector<std::string> kept;
  for (const std::string& name : names) {
    if (!is_offset(description, name)) kept.push_back(name);
  }
  return kept;
}

CompiledMechanism compile(const MechanismDescription& description,
                          const std::vector<std::string>& names, const VectorXd& lengths,
                          model::EngineKind engine) {
  try {
    return CompiledMechanism(std::make_shared<const Mechanism>(description),
                             {.parameters = moving_names(description, names),
                              .lengths = lengths,
                              .forward = true,
                              .engine = {.kind = engine}});
  } catch (const InvalidInput& error) {
    if (engine != model::EngineKind::Native) throw;
    throw InvalidInput({.function = "fit_mechanism", .argument = "engine", .rule = error.reason()});
  }
}

CompiledState assembled_at(const CompiledMechanism& compiled, const VectorXd& z,
                           const VectorXd& lengths) {
  model::planar::MechanismState state = compiled.mechanism().make_state();
  state.p = lengths;
  const auto assembly = compiled.mechanism().assemble(z, state);
  if (!assembly.ok()) throw InvalidInput({.function = "fit_mechanism", .rule = assembly.message});
  return compiled.make_state(state);
}

/// x = (z, z') and S = ∂x/∂θ along a record; θ the numbers, then the start.
class ExactPath {
 public:
  ExactPath(const CompiledMechanism& compiled, const CompiledState& from, bool slopes)
      : compiled_(compiled),
        state_(from),
        slopes_(slopes),
        n_(compiled.mechanism().coordinates()),
        numbers_(static_cast<Index>(compiled.parameters().size())),
        forces_(static_cast<Index>(compiled.mechanism().description().forces.size())),
        columns_(slopes ? numbers_ + 2 * n_ : 0) {
    S_ = MatrixXd::Zero(2 * n_, columns_);
    for (Index i = 0; slopes && i < 2 * n_; ++i) S_(i, numbers_ + i) = 1.0;
    stage_S_ = rate_S_ = sum_S_ = S_;
    x_ = stage_ = rate_ = sum_ = VectorXd::Zero(2 * n_);
    zdd_S_ = MatrixXd::Zero(n_, columns_);
  }

  /// False if the mechanism cannot be there.
  bool begin(const ExactStart& start, const VectorXd& numbers) {
    compiled_.set_parameters(numbers_in(numbers), state_);
    x_ << start.z, start.zd;
    return compiled_.solve_position(numbers_in(start.z), state_) == StepStatus::Success;
  }

  /// The acceleration under forces here, with its slopes.
  bool accelerate(const VectorXd& forces) { return accelerate_at(x_, S_, forces); }

  /// One step of the classical Runge-Kutta rule. @param first, middle, last forces.
  bool step(double h, const VectorXd& first, const VectorXd& middle, const VectorXd& last) {
    sum_ = x_;
    sum_S_ = S_;
    const VectorXd* const forces[] = {&first, &middle, &middle, &last};
    static constexpr double kAhead[] = {0.0, 0.5, 0.5, 1.0};
    static constexpr double kShare[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    rate_.setZero();
    rate_S_.setZero();
    for (int stage = 0; stage < 4; ++stage) {
      stage_ = x_ + kAhead[stage] * h * rate_;
      if (slopes_) stage_S_ = S_ + kAhead[stage] * h * rate_S_;
      if (!accelerate_at(stage_, stage_S_, *forces[stage])) return false;
      rate_.head(n_) = stage_.tail(n_);
      rate_.tail(n_) = state_.forward.col(0);
      sum_ += kShare[stage] * h * rate_;
      if (!slopes_) continue;
      rate_S_.topRows(n_) = stage_S_.bottomRows(n_);
      rate_S_.bottomRows(n_) = zdd_S_;
      sum_S_ += kShare[stage] * h * rate_S_;
    }
    x_ = sum_;
    S_ = sum_S_;
    return x_.allFinite();
  }

  /// Readings of all sensors where accelerate() was asked for last.
  const MatrixXd& read() {
    slopes_ ? compiled_.read_slopes(state_) : compiled_.read(state_);
    return state_.readings;
  }

  /// Slopes of a reading by θ.
  [[nodiscard]] Eigen::RowVectorXd slopes_of(Index sensor) const {
    const auto row = state_.readings.row(sensor);
    Eigen::RowVectorXd by = row.segment(1, n_) * S_.topRows(n_) +
                            row.segment(1 + n_, n_) * S_.bottomRows(n_) +
                            row.segment(1 + 2 * n_, n_) * zdd_S_;
    by.head(numbers_) += row.segment(1 + 3 * n_, numbers_);
    return by;
  }

  [[nodiscard]] const VectorXd& x() const { return x_; }
  [[nodiscard]] VectorXd acceleration() const { return state_.forward.col(0); }

 private:
  // z'' = z''(z, z', F, p), and dz''/dθ = z''_z S_z + z''_z' S_z' + z''_p.
  bool accelerate_at(const VectorXd& x, const MatrixXd& S, const VectorXd& forces) {
    const std::span<const double> all = numbers_in(x);
    const auto half = static_cast<std::size_t>(n_);
    if (compiled_.solve_position(all.first(half), state_) != StepStatus::Success) return false;
    compiled_.set_rates(all.last(half), state_);
    const std::span<const double> F = numbers_in(forces);
    const bool solved =
        slopes_ ? compiled_.forward_slopes(F, state_) : compiled_.forward(F, state_);
    if (!solved || !state_.forward.col(0).allFinite()) return false;
    if (!slopes_) return true;
    zdd_S_.noalias() = state_.forward.middleCols(2, n_) * S.topRows(n_);
    zdd_S_.noalias() += state_.forward.middleCols(2 + n_, n_) * S.bottomRows(n_);
    zdd_S_.leftCols(numbers_) += state_.forward.middleCols(2 + 2 * n_ + forces_, numbers_);
    return true;
  }

  const CompiledMechanism& compiled_;
  CompiledState state_;
  bool slopes_;
  Index n_, numbers_, forces_, columns_;
  VectorXd x_, stage_, rate_, sum_;
  MatrixXd S_, stage_S_, rate_S_, sum_S_, zdd_S_;
};

// Forces at the start, the middle and the end of each part of a sample.
bool advance(ExactPath& path, const VectorXd& from, const VectorXd& to, double step,
             const RunSteps& steps) {
  const double part = 1.0 / static_cast<double>(steps.substeps);
  const bool held = steps.between == signal::BetweenSamples::Held;
  const auto at = [&](double share) -> VectorXd {
    if (held) return from;
    return from + share * (to - from);
  };
  for (Index i = 0; i < steps.substeps; ++i) {
    const double first = static_cast<double>(i) * part;
    if (!path.step(step * part, at(first), at(first + 0.5 * part), at(first + part))) return false;
  }
  return true;
}

}  // namespace

ExactRuns::ExactRuns(const MechanismDescription& description, std::vector<std::string> names,
                     const VectorXd& z, const VectorXd& lengths, model::EngineKind engine)
    : description_(description),
      names_(std::move(names)),
      compiled_(compile(description, names_, lengths, engine)),
      start_(assembled_at(compiled_, z, lengths)) {
  sensors_ = motion_sensors(compiled_.mechanism());
  Index next = 0;
  for (const std::string& name : names_) {
    const bool offset = is_offset(description_, name);
    compiled_place_.push_back(offset ? -1 : next++);
    offset_of_.push_back(-1);
    for (std::size_t i = 0; offset && i < sensors_.size(); ++i) {
      const auto sensor = static_cast<std::size_t>(sensors_[i]);
      if (name == description_.sensors[sensor].name + ".offset") {
        offset_of_.back() = static_cast<int>(i);
      }
    }
  }
}

std::string ExactRuns::engine() const {
  return compiled_.engine() == model::EngineKind::Native ? "native code" : "interpreter";
}

MechanismRun ExactRuns::run(const ExactStart& start, const MatrixXd& columns, double step,
                            const RunSteps& steps, std::vector<MatrixXd>* slopes) const {
  const MechanismValues values = with_parameters(values_of(description_), names_, start.numbers);
  const Mechanism checked(values.description);  // refuses masses below zero
  const Index n = checked.coordinates();
  const auto sensors = static_cast<Index>(sensors_.size());
  const Index samples = columns.rows();
  VectorXd numbers(static_cast<Index>(compiled_.parameters().size()));
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (compiled_place_[i] >= 0) numbers(compiled_place_[i]) = start.numbers(static_cast<Index>(i));
  }
  MechanismRun run;
  run.path.z.resize(samples, n);
  run.path.zd.resize(samples, n);
  run.path.zdd.resize(samples, n);
  run.readings.resize(samples, sensors);
  if (slopes != nullptr) {
    slopes->assign(names_.size() + static_cast<std::size_t>(2 * n),
                   MatrixXd::Zero(samples, sensors));
  }
  ExactPath path(compiled_, start_, slopes != nullptr);
  bool there = path.begin(start, numbers);
  for (Index k = 0; k < samples; ++k) {
    const VectorXd now = columns.row(k).transpose();
    if (there && k > 0) there = advance(path, columns.row(k - 1).transpose(), now, step, steps);
    if (!there || !path.accelerate(now)) {
      run.status = Status::NotFinite;
      run.message = fmt::format("the motion could be followed to {:.6g} s only",
                                static_cast<double>(k) * step);
      return run;
    }
    run.path.z.row(k) = path.x().head(n).transpose();
    run.path.zd.row(k) = path.x().tail(n).transpose();
    run.path.zdd.row(k) = path.acceleration().transpose();
    const MatrixXd& readings = path.read();
    for (Index i = 0; i < sensors; ++i) {
      const int sensor = sensors_[static_cast<std::size_t>(i)];
      run.readings(k, i) =
          readings(sensor, 0) + values.description.sensors[static_cast<std::size_t>(sensor)].offset;
      if (slopes == nullptr) continue;
      const Eigen::RowVectorXd by = path.slopes_of(sensor);
      for (std::size_t j = 0; j < names_.size(); ++j) {
        const Index place = compiled_place_[j];
        (*slopes)[j](k, i) = place >= 0 ? by(place) : offset_of_[j] == i ? 1.0 : 0.0;
      }
      for (Index j = 0; j < 2 * n; ++j) {
        (*slopes)[names_.size() + static_cast<std::size_t>(j)](k, i) = by(numbers.size() + j);
      }
    }
  }
  return run;
}

}  // namespace alembert::identify
