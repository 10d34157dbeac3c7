#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/optimize/transformation.hpp"
#include "identify/output_error/equation_record.hpp"

namespace alembert::identify {

/// A part of a record with a start state of its own.
struct RecordWindow {
  std::size_t record = 0;
  std::size_t first = 0;    ///< sample
  std::size_t samples = 0;  ///< that are held against the data
  bool last = false;        ///< of its record
};

/// Cuts records into windows of about `length` samples, at least one each.
[[nodiscard]] std::vector<RecordWindow> cut_records(const std::vector<EquationRecord>& records,
                                                    std::size_t length);

/// Parameters and the start states of all windows.
struct WindowPoint {
  Eigen::VectorXd theta;   ///< p, all of them
  Eigen::MatrixXd states;  ///< n x windows
  double cost = 0.0;       ///< with continuity and priors
  double misfit = 0.0;     ///< Σ (w (y - ŷ))² alone
};

/// Gauss-Newton equations around a point, in the free variables of the parameters (q) and the
/// states s of the windows. Window w meets only its successor, so the matrix is block
/// tridiagonal in s with a border:
///
///   A_w δs_w + O_w δs_w+1 + O_w-1ᵀ δs_w-1 + B_w δx = -g_w,   Σ B_wᵀ δs_w + C δx = -g
struct WindowEquations {
  struct Block {
    Eigen::MatrixXd A, O, B;
    Eigen::VectorXd g;
    Eigen::MatrixXd transition;  ///< Φ = ∂x(end)/∂s
  };
  std::vector<Block> blocks;
  Eigen::MatrixXd C;
  Eigen::VectorXd g;
};

/// Output error over windows with free start states, which a penalty joins [Bock1983]:
///
///   Σ (w (y - ŷ))² + Σ (κ_j (x_j(end of w) - s_j of w+1))² + priors
///
/// The first window of a record is joined to the start of the model likewise, unless the start is
/// free or periodic. One for each thread.
class WindowProblem {
 public:
  /// The arguments must outlive it.
  WindowProblem(const model::CompiledEquations& compiled,
                const std::vector<EquationRecord>& records, const optimize::Transformation& map,
                const Eigen::VectorXd& weights, StartState start);

  void set_windows(std::vector<RecordWindow> windows);
  [[nodiscard]] const std::vector<RecordWindow>& windows() const { return windows_; }
  /// κ of each state; zeros leave the windows apart.
  void set_continuity(Eigen::VectorXd kappa) { kappa_ = std::move(kappa); }
  [[nodiscard]] const optimize::Transformation& map() const { return map_; }
  [[nodiscard]] Eigen::Index states() const { return n_; }
  [[nodiscard]] long evaluations() const { return evaluations_; }

  /// Computes cost and misfit; false if a window cannot be simulated.
  bool evaluate(WindowPoint& point);
  /// The same and the equations around the point.
  bool linearise(WindowPoint& point, WindowEquations& equations);
  /// Residuals w (y - ŷ) of a window, one column per output, NaN where missing, and their
  /// derivatives by the free variables and the start states: row k outputs + i. False if the window
  /// cannot be simulated.
  bool rows(Eigen::Index w, const WindowPoint& point, Eigen::MatrixXd& residuals,
            Eigen::MatrixXd& slopes);
  /// Simulates one window and the sample behind it; false if it cannot be. Outputs by output(),
  /// states by state().
  bool simulate(const RecordWindow& window, const double* start);
  void set_parameters(const Eigen::VectorXd& theta);
  [[nodiscard]] double output(std::size_t k, std::size_t i) const { return y_[k * outputs_ + i]; }
  [[nodiscard]] const double* state(std::size_t k) const { return &x_[k * states_]; }

 private:
  [[nodiscard]] integrate::RecordTask task_of(const RecordWindow& window) const;
  bool simulate_with_slopes(const RecordWindow& window, const double* start);
  void add_start(const RecordWindow& window, Eigen::Index w, const WindowPoint& point,
                 WindowEquations* equations, double& cost);
  double add_misfit(const RecordWindow& window, WindowEquations::Block* block,
                    WindowEquations& equations);
  double join(Eigen::Index w, const WindowPoint& point, WindowEquations* equations);
  void clear(WindowEquations& equations) const;
  void fold(const double* row, Eigen::VectorXd& folded) const;
  void add_priors(WindowPoint& point, WindowEquations& equations) const;

  const std::vector<EquationRecord>& records_;
  const optimize::Transformation& map_;
  const Eigen::VectorXd& weights_;
  StartState start_;
  integrate::EquationSimulator evaluator_;
  model::EquationJacobians start_values_;
  std::size_t states_, outputs_;
  Eigen::Index n_, q_;
  std::vector<int> columns_;  // moved parameters, then -1 for each state
  std::vector<RecordWindow> windows_;
  Eigen::VectorXd kappa_, slope_;
  std::vector<double> y_, x_, y_slopes_, x_slopes_, start_slopes_;
  long evaluations_ = 0;
};

}  // namespace alembert::identify
