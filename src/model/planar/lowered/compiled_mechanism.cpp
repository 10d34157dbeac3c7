#include "alembert/model/planar/compiled_mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/error.hpp"
#include "model/planar/lowered/close_loops.hpp"

namespace alembert::model::planar {

namespace {

using Eigen::Index;

// Longest step of the coordinates, and farthest correction of its prediction, that Newton's method
// takes by itself, rad or sizes; Mechanism::solve_position() does the others.
constexpr double kLongestStep = 0.4;
constexpr double kFarthestCorrection = 0.1;
// As goes_on() of Mechanism: on the same branch ∂v/∂z turns little in a short step.
constexpr double kLeastTurnOfMap = 0.2;
constexpr double kTurnOfMapByStep = 1.5;
// Pivots of M below this share of the largest are zero, as in SmallLu.
constexpr double kLeastPivot = 1e-13;

std::vector<double> scales_of(const MechanismDescription& description, double size) {
  std::vector<double> scales;
  for (const Coordinate& one : description.coordinates) {
    scales.push_back(one.kind == CoordinateKind::Angle ? 1.0 : 1.0 / size);
  }
  return scales;
}

std::shared_ptr<const CompiledMechanism::Content> make_content(const Mechanism& mechanism,
                                                               const CompileOptions& options) {
  auto made = std::make_shared<CompiledMechanism::Content>(
      lower_mechanism(mechanism.description(), options), make_layout(mechanism.description()),
      options.engine);
  const LoweredMechanism& lowered = made->lowered;
  int first = lowered.first_inverse;
  for (const SolveBlock& block : lowered.blocks) {
    made->first_inverse.push_back(first);
    first += block.size() * block.size();
  }
  made->length_of = lowered.length_of;
  made->size = mechanism.size();
  for (const int place : lowered.loops) {
    made->loop_scale.push_back(place % 3 == 2 ? 1.0 : 1.0 / mechanism.size());
  }
  made->z_scale = scales_of(mechanism.description(), mechanism.size());
  return made;
}

bool are_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace

CompiledMechanism::CompiledMechanism(std::shared_ptr<const Mechanism> mechanism,
                                     const CompileOptions& options)
    : mechanism_(std::move(mechanism)), content_(make_content(*mechanism_, options)) {}

EngineKind CompiledMechanism::engine() const noexcept { return content_->functions.engine(); }
const std::string& CompiledMechanism::note() const noexcept { return content_->functions.note(); }
bool CompiledMechanism::from_cache() const noexcept { return content_->functions.from_cache(); }
const std::vector<std::string>& CompiledMechanism::loop_unknowns() const noexcept {
  return content_->lowered.loop_names;
}
std::vector<int> CompiledMechanism::loop_blocks() const {
  std::vector<int> sizes;
  for (const SolveBlock& block : content_->lowered.blocks) sizes.push_back(block.size());
  return sizes;
}
const std::vector<std::string>& CompiledMechanism::parameters() const noexcept {
  return content_->lowered.arguments.p;
}
const std::string& CompiledMechanism::c_source() const noexcept {
  return content_->functions.source();
}
std::size_t CompiledMechanism::operations() const {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < content_->lowered.functions.size(); ++i) {
    sum += content_->functions.operations(i);
  }
  return sum;
}

CompiledState CompiledMechanism::make_state(const MechanismState& assembled) const {
  if (!assembled.positioned) {
    throw InvalidInput({.function = "CompiledMechanism::make_state",
                        .argument = "assembled",
                        .rule = "must be assembled",
                        .value = "a state without position"});
  }
  const LoweredMechanism& lowered = content_->lowered;
  const Index n = lowered.coordinates;
  const Index k = lowered.unknowns();
  const auto np = static_cast<Index>(lowered.given.size());
  const auto nf = static_cast<Index>(lowered.arguments.u.size());
  CompiledState made;
  made.x = made.before = Eigen::VectorXd::Zero(static_cast<Index>(lowered.arguments.x.size()));
  made.forces = Eigen::VectorXd::Zero(std::max<Index>(1, nf));
  made.p = made.p_before = Eigen::Map<const Eigen::VectorXd>(lowered.given.data(), np);
  made.closure = Eigen::VectorXd::Zero(k + k * k + k * n);
  made.step = Eigen::VectorXd::Zero(k);
  made.step_before = Eigen::VectorXd::Zero(n);
  made.work = Eigen::VectorXd::Zero(k * k + 3 * mechanism_->unknowns());
  made.map_before = Eigen::MatrixXd::Zero(n, k);
  const auto has = [&](LoweredFunction which) { return content_->function(which) >= 0; };
  if (has(RunReadings)) {
    made.readings.setZero(mechanism_->sensors(), has(RunReadingSlopes) ? 1 + 3 * n + np : 1);
  }
  if (has(RunForward)) {
    made.forward.setZero(n, has(RunForwardSlopes) ? 2 + 2 * n + nf + np : 2);
    made.powers.setZero(nf + 1);
  }
  if (has(RunInverse)) {
    made.inverse.setZero(n, has(RunInverseSlopes) ? 1 + 3 * n + nf + np : 1);
  }
  made.angles = Eigen::VectorXd::Zero(2 * lowered.angles);
  made.memory = content_->functions.make_memory();
  made.anchor = assembled;
  content_->functions.set_parameters(made.p.data(), made.memory);
  made.x.head(n) = assembled.z;
  for (int i = 0; i < lowered.unknowns(); ++i) {
    made.x(lowered.loop(i)) = assembled.q(lowered.loops[static_cast<std::size_t>(i)]);
  }
  made.positioned = close_loops(*content_, std::numeric_limits<double>::infinity(), made);
  return made;
}

void CompiledMechanism::set_parameters(std::span<const double> p,
                                       CompiledState& state) const noexcept {
  std::copy_n(p.data(), state.p.size(), state.p.data());
  content_->functions.set_parameters(state.p.data(), state.memory);
}

// From the position in `before` to z by Newton's method alone.
bool CompiledMechanism::follow(std::span<const double> z, CompiledState& state) const noexcept {
  const LoweredMechanism& lowered = content_->lowered;
  const int n = lowered.coordinates;
  const int k = lowered.unknowns();
  const int branch = state.branch;
  double longest = 0.0;
  double along = 0.0;
  double square = 0.0;
  for (int j = 0; j < n; ++j) {
    const double step = z[static_cast<std::size_t>(j)] - state.before(j);
    longest = std::max(longest, std::abs(step) * content_->z_scale[static_cast<std::size_t>(j)]);
    along += step * state.step_before(j);
    square += state.step_before(j) * state.step_before(j);
  }
  if (!(longest <= kLongestStep)) return false;
  // v + R Δz + ½ (how R changed in the last step, as far as this step goes on along it) Δz
  const double share = square > 0.0 ? std::clamp(along / square, -2.0, 2.0) : 0.0;
  const double* const map = state.before.data() + lowered.first_map;
  for (int i = 0; i < k; ++i) {
    double sum = state.before(lowered.loop(i));
    for (int j = 0; j < n; ++j) {
      const double R = map[i * n + j];
      sum += (R + 0.5 * share * (R - state.map_before(j, i))) *
             (z[static_cast<std::size_t>(j)] - state.before(j));
    }
    state.x(lowered.loop(i)) = sum;
  }
  std::copy_n(z.data(), n, state.x.data());
  if (!close_loops(*content_, kFarthestCorrection, state) || state.branch != branch) return false;
  const double most = kLeastTurnOfMap + kTurnOfMapByStep * longest;
  for (int j = 0; j < n; ++j) {
    double size = 0.0;
    double change = 0.0;
    for (int i = 0; i < k; ++i) {
      const double scale = content_->loop_scale[static_cast<std::size_t>(i)];
      const double now = state.x(lowered.first_map + i * n + j) * scale;
      const double then = map[i * n + j] * scale;
      size = std::max(
          {size, std::abs(now), std::abs(then), content_->z_scale[static_cast<std::size_t>(j)]});
      change = std::max(change, std::abs(now - then));
    }
    if (change > most * size) return false;
  }
  for (int j = 0; j < n; ++j) {
    state.step_before(j) = z[static_cast<std::size_t>(j)] - state.before(j);
    for (int i = 0; i < k; ++i) state.map_before(j, i) = map[i * n + j];
  }
  return true;
}

// The position by Mechanism::solve_position() from the one in `before`.
StepStatus CompiledMechanism::take_over(std::span<const double> z,
                                        CompiledState& state) const noexcept {
  const LoweredMechanism& lowered = content_->lowered;
  const int branch = state.branch;
  state.x = state.before;
  const auto set_lengths = [&](const Eigen::VectorXd& p) {
    for (std::size_t m = 0; m < content_->length_of.size(); ++m) {
      const int length = content_->length_of[m];
      if (length >= 0) state.anchor.p(length) = p(static_cast<Index>(m));
    }
  };
  content_->functions.set_parameters(state.p_before.data(), state.memory);
  set_lengths(state.p_before);
  double* const q = state.work.data() + lowered.unknowns() * lowered.unknowns();
  const auto unknowns = static_cast<std::size_t>(mechanism_->unknowns());
  poses(state, {q, unknowns});
  content_->functions.set_parameters(state.p.data(), state.memory);
  const auto n = static_cast<std::size_t>(lowered.coordinates);
  StepStatus status = StepStatus::Singular;
  if (resume_at(content_->layout, state.before.data(), q, state.anchor)) {
    set_lengths(state.p);
    status = mechanism_->solve_position(z, state.anchor);
  }
  if (status == StepStatus::Success) {
    std::copy_n(z.data(), n, state.x.data());
    for (int i = 0; i < lowered.unknowns(); ++i) {
      state.x(lowered.loop(i)) = state.anchor.q(lowered.loops[static_cast<std::size_t>(i)]);
    }
    state.step_before.setZero();
    if (close_loops(*content_, kFarthestCorrection, state)) return status;
    status = StepStatus::Singular;
  }
  // Nothing has moved, and the parameters are those that belong to the position.
  state.x = state.before;
  state.branch = branch;
  set_parameters({state.p_before.data(), static_cast<std::size_t>(state.p_before.size())}, state);
  return status;
}

StepStatus CompiledMechanism::solve_position(std::span<const double> z,
                                             CompiledState& state) const noexcept {
  if (!state.positioned) return StepStatus::NotReached;
  const auto parameters =
      std::span<const double>(state.p.data(), static_cast<std::size_t>(state.p.size()));
  if (!are_finite(z) || !are_finite(parameters)) return StepStatus::NotFinite;
  if (content_->lowered.unknowns() == 0) {
    std::copy_n(z.data(), content_->lowered.coordinates, state.x.data());
    turn_angles(*content_, true, state);
    return StepStatus::Success;
  }
  const int branch = state.branch;
  state.before = state.x;
  if (!follow(z, state)) {
    state.branch = branch;
    const StepStatus status = take_over(z, state);
    if (status != StepStatus::Success) return status;
  }
  state.p_before = state.p;
  return StepStatus::Success;
}

void CompiledMechanism::set_rates(std::span<const double> zd, CompiledState& state) const noexcept {
  std::copy_n(zd.data(), content_->lowered.coordinates,
              state.x.data() + content_->lowered.coordinates);
}

void CompiledMechanism::set_accelerations(std::span<const double> zdd,
                                          CompiledState& state) const noexcept {
  std::copy_n(zdd.data(), content_->lowered.coordinates,
              state.x.data() + 2 * content_->lowered.coordinates);
}

void CompiledMechanism::run(int function, CompiledState& state, double* result) const noexcept {
  const int place = content_->function(static_cast<LoweredFunction>(function));
  if (place < 0) return;
  content_->functions.run(static_cast<std::size_t>(place), state.x.data(), state.forces.data(),
                          state.memory, result);
}

void CompiledMechanism::read(CompiledState& state) const noexcept {
  run(RunReadings, state, state.readings.data());
}
void CompiledMechanism::read_slopes(CompiledState& state) const noexcept {
  run(RunReadingSlopes, state, state.readings.data());
}

bool CompiledMechanism::run_forward(int function, std::span<const double> forces,
                                    CompiledState& state) const noexcept {
  std::copy(forces.begin(), forces.end(), state.forces.data());
  run(function, state, state.forward.data());
  const int n = content_->lowered.coordinates;
  double largest = 0.0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(state.forward(i, 1)));
  for (int i = 0; i < n; ++i) {
    if (!(std::abs(state.forward(i, 1)) > kLeastPivot * largest)) return false;
  }
  std::copy_n(state.forward.data(), n, state.x.data() + 2 * n);
  return true;
}

bool CompiledMechanism::forward(std::span<const double> forces,
                                CompiledState& state) const noexcept {
  return run_forward(RunForward, forces, state);
}
bool CompiledMechanism::forward_slopes(std::span<const double> forces,
                                       CompiledState& state) const noexcept {
  return run_forward(RunForwardSlopes, forces, state);
}

void CompiledMechanism::inverse(std::span<const double> forces,
                                CompiledState& state) const noexcept {
  std::copy(forces.begin(), forces.end(), state.forces.data());
  run(RunInverse, state, state.inverse.data());
}
void CompiledMechanism::inverse_slopes(std::span<const double> forces,
                                       CompiledState& state) const noexcept {
  std::copy(forces.begin(), forces.end(), state.forces.data());
  run(RunInverseSlopes, state, state.inverse.data());
}

void CompiledMechanism::powers(CompiledState& state) const noexcept {
  run(RunPowers, state, state.powers.data());
}

void CompiledMechanism::poses(CompiledState& state, std::span<double> q) const noexcept {
  run(RunPoses, state, q.data());
}

}  // namespace alembert::model::planar
