#pragma once

#include <array>
#include <vector>

#include "alembert/identify/acceleration_regression.hpp"
#include "alembert/model/equation_batch.hpp"
#include "alembert/optimize/objective.hpp"

namespace alembert::identify {

/// Rows of the signals that are fitted together.
struct Stretch {
  Eigen::Index first = 0;
  Eigen::Index samples = 0;
};

/// All that is estimated from a stretch; times count from its first row.
struct WindowState {
  std::vector<double> parameters;
  double x0 = 0.0, v0 = 0.0, offset = 0.0, drift = 0.0;
};

/// Motion and offset at one row.
struct RegressionPoint {
  double x = 0.0, v = 0.0, offset = 0.0;
};

/// The regression  A = o + d t + f(t, x, v; p)  with
///
///   x = X + x0 + v0 t - o t²/2 - d t³/6,   v = V + v0 - o t - d t²/2
///
/// of a stretch, in which X and V begin at 0, linearised about a state. Columns stand in this
/// order: parameters that are free, x0, v0, o, d as far as they are unknown.
class WindowRegression {
 public:
  /// The arguments must outlive it.
  WindowRegression(const EquationOfMotion& equation, const IntegratedSignals& signals,
                   const WindowFitOptions& options, bool with_offset);

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t free_parameters() const { return free_.size(); }
  /// The parameter of each of the first columns.
  [[nodiscard]] const std::vector<std::size_t>& free() const { return free_; }
  /// Columns of x0, v0, o, d; -1 for what is not unknown.
  [[nodiscard]] int x0_column() const { return special_[0]; }
  [[nodiscard]] int v0_column() const { return special_[1]; }
  [[nodiscard]] int offset_column() const { return special_[2]; }
  [[nodiscard]] int drift_column() const { return special_[3]; }
  [[nodiscard]] bool all_free_linear() const { return all_free_linear_; }
  [[nodiscard]] const EquationOfMotion& equation() const { return equation_; }
  [[nodiscard]] const IntegratedSignals& signals() const { return signals_; }
  [[nodiscard]] const WindowFitOptions& options() const { return options_; }
  /// Guesses of the parameters, 0 for linear ones without.
  [[nodiscard]] const std::vector<double>& guesses() const { return guesses_; }
  /// The user's entry for a parameter, or null.
  [[nodiscard]] const optimize::Parameter* given(std::size_t parameter) const;

  /// CᵀC, Cᵀr and rᵀr with the columns C and the residuals r = A - o - d t - f at the state.
  void add(const Stretch& stretch, const WindowState& state, optimize::NormalEquations& sums);

  /// A block of points of a stretch with all that the equation says there.
  struct Block {
    std::size_t row = 0;    ///< of its first point, in the signals
    std::size_t count = 0;  ///< of points
    const double *time, *x, *v, *residual, *by_x, *by_v;
    const std::vector<const double*>* columns;
  };
  /// Calls visit(block) for all blocks of the stretch.
  template <typename Visit>
  void visit(const Stretch& stretch, const WindowState& state, Visit visit) {
    evaluator_.set_parameters(state.parameters);
    constexpr auto kSize = static_cast<Eigen::Index>(kPoints);
    for (Eigen::Index done = 0; done < stretch.samples; done += kSize) {
      const Eigen::Index left = stretch.samples - done;
      visit(evaluate(stretch, state, done, left < kSize ? left : kSize));
    }
  }

  /// The step δ of all columns: adds it to the state; nonlinear parameters stay in their bounds.
  void move(WindowState& state, const std::vector<double>& step) const;
  /// Displacement, velocity and offset at a later (or earlier) row than that of the state.
  [[nodiscard]] RegressionPoint point(const WindowState& state, Eigen::Index from,
                                      Eigen::Index to) const;
  /// The state for a stretch that begins at another row.
  [[nodiscard]] WindowState carried(const WindowState& state, Eigen::Index from,
                                    Eigen::Index to) const;

 private:
  static constexpr std::size_t kPoints = model::EquationBatch::kPoints;
  using Lane = std::array<double, kPoints>;

  void set_parameters();
  Block evaluate(const Stretch& stretch, const WindowState& state, Eigen::Index done,
                 Eigen::Index count);
  void place(const Stretch& stretch, const WindowState& state, std::size_t row, std::size_t count);
  void fill_columns(const WindowState& state, std::size_t row, std::size_t count);

  const EquationOfMotion& equation_;
  const IntegratedSignals& signals_;
  const WindowFitOptions& options_;
  model::EquationBatch evaluator_;
  std::size_t inputs_, x_row_, v_row_;
  std::vector<std::size_t> free_;
  std::vector<double> guesses_;
  std::array<int, 4> special_{-1, -1, -1, -1};
  std::size_t columns_ = 0;
  bool all_free_linear_ = true;
  Lane time_{}, residual_{}, zero_{};
  std::array<Lane, 4> lanes_{};  // columns of x0, v0, o, d
  std::vector<const double*> column_pointers_;
};

}  // namespace alembert::identify
