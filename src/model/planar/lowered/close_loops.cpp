#include "model/planar/lowered/close_loops.hpp"

#include <algorithm>
#include <cmath>

#include "model/planar/motion.hpp"

namespace alembert::model::planar {

namespace {

constexpr int kMostNewton = 8;
// Residuals at rounding, for angles of the size of one; and those that only rounding keeps from
// that, since the one before was so small that its square is below it.
constexpr double kExactGap = 4e-15;
constexpr double kRoundingGap = 1e-11;
constexpr double kGapBefore = 1e-8;
constexpr double kSingularPivot = 1e-13;
// Turns by less than this are made by series, whose first terms left out are below rounding.
constexpr double kSmallTurn = 0.01;

// Rounding of angles grows with them.
double unit_of(const LoweredMechanism& lowered, const double* x) {
  double largest = 1.0;
  for (int j = 0; j < lowered.coordinates; ++j) largest = std::max(largest, std::abs(x[j]));
  for (int i = 0; i < lowered.unknowns(); ++i) {
    largest = std::max(largest, std::abs(x[lowered.loop(i)]));
  }
  return largest;
}

double largest_entry(const double* values, int count) {
  double largest = 0.0;
  for (int i = 0; i < count; ++i) {
    const double size = std::abs(values[i]);
    if (!(size <= largest)) largest = size;
  }
  return largest;
}

}  // namespace

int invert_block(int size, double* a, double* inverse) noexcept {
  const double scale = largest_entry(a, size * size);
  if (!(scale > 0.0) || !std::isfinite(scale)) return 0;
  if (size == 1) {
    inverse[0] = 1.0 / a[0];
    return a[0] > 0.0 ? 1 : -1;
  }
  if (size == 2) {
    const double determinant = a[0] * a[3] - a[1] * a[2];
    if (!(std::abs(determinant) > kSingularPivot * scale * scale)) return 0;
    const double factor = 1.0 / determinant;
    inverse[0] = factor * a[3];
    inverse[1] = -factor * a[1];
    inverse[2] = -factor * a[2];
    inverse[3] = factor * a[0];
    return determinant > 0.0 ? 1 : -1;
  }
  // Gauss-Jordan elimination
  int sign = 1;
  std::fill_n(inverse, size * size, 0.0);
  for (int i = 0; i < size; ++i) inverse[i * size + i] = 1.0;
  for (int k = 0; k < size; ++k) {
    int best = k;
    for (int i = k + 1; i < size; ++i) {
      if (std::abs(a[i * size + k]) > std::abs(a[best * size + k])) best = i;
    }
    const double pivot = a[best * size + k];
    if (!(std::abs(pivot) > kSingularPivot * scale)) return 0;
    if (pivot < 0.0) sign = -sign;
    if (best != k) {
      sign = -sign;
      std::swap_ranges(a + k * size, a + (k + 1) * size, a + best * size);
      std::swap_ranges(inverse + k * size, inverse + (k + 1) * size, inverse + best * size);
    }
    for (int j = 0; j < size; ++j) {
      a[k * size + j] /= pivot;
      inverse[k * size + j] /= pivot;
    }
    for (int i = 0; i < size; ++i) {
      const double factor = a[i * size + k];
      if (i == k || factor == 0.0) continue;
      for (int j = 0; j < size; ++j) {
        a[i * size + j] -= factor * a[k * size + j];
        inverse[i * size + j] -= factor * inverse[k * size + j];
      }
    }
  }
  return sign;
}

int invert_blocks(const CompiledMechanism::Content& content, CompiledState& state) noexcept {
  const int k = content.lowered.unknowns();
  const double* const J = state.closure.data() + k;
  int sign = 1;
  for (std::size_t b = 0; b < content.lowered.blocks.size(); ++b) {
    const SolveBlock& block = content.lowered.blocks[b];
    const int size = block.size();
    double* const a = state.work.data();
    for (int i = 0; i < size; ++i) {
      const int row = block.rows[static_cast<std::size_t>(i)];
      for (int j = 0; j < size; ++j) {
        a[i * size + j] = J[row * k + block.columns[static_cast<std::size_t>(j)]];
      }
    }
    const int one = invert_block(size, a, state.x.data() + content.first_inverse[b]);
    if (one == 0) return 0;
    sign *= one;
  }
  return sign;
}

void solve_blocks(const CompiledMechanism::Content& content, const CompiledState& state,
                  const double* right, int stride, double* solution) noexcept {
  const int k = content.lowered.unknowns();
  const double* const J = state.closure.data() + k;
  std::fill_n(solution, k, 0.0);
  for (std::size_t b = 0; b < content.lowered.blocks.size(); ++b) {
    const SolveBlock& block = content.lowered.blocks[b];
    const int size = block.size();
    const double* const inverse = state.x.data() + content.first_inverse[b];
    for (int j = 0; j < size; ++j) {
      const int row = block.rows[static_cast<std::size_t>(j)];
      double rest = right[row * stride];
      // what is solved for later has no part in this row, and its own block is zero still; the
      // entries of a block are added after all of its rows were read
      if (b > 0) {
        for (std::size_t c = 0; c < b; ++c) {
          for (const int column : content.lowered.blocks[c].columns) {
            rest -= J[row * k + column] * solution[column];
          }
        }
      }
      for (int i = 0; i < size; ++i) {
        solution[block.columns[static_cast<std::size_t>(i)]] += inverse[i * size + j] * rest;
      }
    }
  }
}

void fill_loop_map(const CompiledMechanism::Content& content, CompiledState& state) noexcept {
  const LoweredMechanism& lowered = content.lowered;
  const int k = lowered.unknowns();
  const int n = lowered.coordinates;
  const double* const G_z = state.closure.data() + k + k * k;
  for (int j = 0; j < n; ++j) {
    solve_blocks(content, state, G_z + j, n, state.step.data());
    for (int i = 0; i < k; ++i) state.x(lowered.first_map + i * n + j) = -state.step(i);
  }
}

bool resume_at(const Layout& layout, const double* z, const double* q,
               MechanismState& state) noexcept {
  std::copy_n(z, layout.coordinates, state.z.data());
  std::copy_n(q, layout.unknowns(), state.q.data());
  place_points(layout, state);
  set_positions(layout, state);
  state.positioned = factor_jacobian(layout, state);
  state.branch = state.lu.sign();
  if (!state.positioned) return false;
  // R: A R = (0, I)
  for (int j = 0; j < layout.coordinates; ++j) {
    double* const column = state.R.data() + j * layout.unknowns();
    std::fill_n(column, layout.unknowns(), 0.0);
    column[layout.constraints + j] = 1.0;
    state.lu.solve(column);
  }
  return true;
}

void turn_angles(const CompiledMechanism::Content& content, bool afresh,
                 CompiledState& state) noexcept {
  const LoweredMechanism& lowered = content.lowered;
  double* const angles = state.angles.data();
  double* const before = angles + lowered.angles;
  std::copy_n(angles, lowered.angles, before);
  content.functions.run(static_cast<std::size_t>(content.function(RunAngles)), state.x.data(),
                        state.forces.data(), state.memory, angles);
  double* turn = state.x.data() + lowered.first_turn;
  for (int i = 0; i < lowered.angles; ++i, turn += 2) {
    const double d = angles[i] - before[i];
    if (afresh || !(std::abs(d) < kSmallTurn)) {
      turn[0] = std::cos(angles[i]);
      turn[1] = std::sin(angles[i]);
      continue;
    }
    if (d == 0.0) continue;
    // sin d and 1 − cos d, for the sum of angles
    const double square = d * d;
    const double s = d * (1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0)));
    const double e = 0.5 * square * (1.0 - square / 12.0 * (1.0 - square / 30.0));
    const double c = turn[0];
    turn[0] = c - (c * e + turn[1] * s);
    turn[1] = turn[1] - (turn[1] * e - c * s);
  }
}

bool close_loops(const CompiledMechanism::Content& content, double most,
                 CompiledState& state) noexcept {
  const LoweredMechanism& lowered = content.lowered;
  const int k = lowered.unknowns();
  const double unit = unit_of(lowered, state.x.data());
  double before = 0.0;
  double moved = 0.0;
  for (int step = 0; step < kMostNewton; ++step) {
    turn_angles(content, step == 0, state);
    content.functions.run(static_cast<std::size_t>(content.function(RunClosure)), state.x.data(),
                          state.forces.data(), state.memory, state.closure.data());
    const double gap = largest_entry(state.closure.data(), k);
    if (!std::isfinite(gap)) return false;
    state.branch = invert_blocks(content, state);
    if (state.branch == 0) return false;
    if (gap <= kExactGap * unit ||
        (step > 0 && gap <= kRoundingGap * unit && before <= kGapBefore)) {
      fill_loop_map(content, state);
      return true;
    }
    before = gap;
    solve_blocks(content, state, state.closure.data(), 1, state.step.data());
    double largest = 0.0;
    for (int i = 0; i < k; ++i) {
      state.x(lowered.loop(i)) -= state.step(i);
      largest = std::max(largest,
                         std::abs(state.step(i)) * content.loop_scale[static_cast<std::size_t>(i)]);
    }
    moved += largest;
    if (!(moved <= most)) return false;
  }
  return false;
}

}  // namespace alembert::model::planar
