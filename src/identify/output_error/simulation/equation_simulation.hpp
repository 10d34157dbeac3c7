#pragma once

#include <Eigen/Core>
#include <vector>

#include "identify/output_error/equation_record.hpp"

namespace alembert::identify {

/// How well free start states are fitted to their record.
enum class StartFit {
  /// Until they are the best for the parameters of each run.
  Exact,
  /// Carried along by the derivatives of the last run with sensitivities: a step of a search over
  /// parameters and states together, which costs one simulation.
  Carried
};

/// Simulates experiments with a model, and its sensitivities; one for each thread.
class EquationSimulation {
 public:
  /// The records must outlive it. @param weights of the outputs, for free starts.
  EquationSimulation(const model::CompiledEquations& compiled,
                     const std::vector<EquationRecord>& records, StartState start,
                     Eigen::VectorXd weights, StartFit fit = StartFit::Exact);

  /// Where the fit of free starts begins, states x experiments, in place of the data.
  void guess_starts(const Eigen::MatrixXd& starts);

  /// Simulates record e; false if the states leave the range or no periodic state is found.
  bool run(std::size_t e, const Eigen::VectorXd& theta, bool with_sensitivities);

  /// ŷ of output i at sample k of the last run.
  [[nodiscard]] double output(std::size_t k, std::size_t i) const;
  /// ∂ŷ/∂θ of output i at sample k of the last run. A free start moves along with θ.
  [[nodiscard]] Eigen::Map<const Eigen::VectorXd> slope(std::size_t k, std::size_t i) const;
  /// ∂ŷ/∂x(0), of a free start.
  [[nodiscard]] Eigen::Map<const Eigen::VectorXd> start_slope(std::size_t k, std::size_t i) const;
  /// The state at the first sample of the last run.
  [[nodiscard]] const std::vector<double>& start() const noexcept { return x0_; }
  /// Whether record e shows all states of its free start, after an exact run.
  [[nodiscard]] bool start_seen(std::size_t e) const { return free_.empty() || free_[e].seen; }
  /// ∂x(0)/∂θ of the last run with sensitivities of a free start, states x parameters.
  [[nodiscard]] const Eigen::MatrixXd& start_by_parameter(std::size_t e) const {
    return free_[e].by_parameter;
  }

 private:
  // A free start: the last run with sensitivities, and how the best start moves from there.
  struct FreeStart {
    Eigen::VectorXd state, theta;
    Eigen::VectorXd step;          // to the best start for theta
    Eigen::MatrixXd by_parameter;  // ∂x(0)/∂θ, states x parameters
    double cost = 0.0;
    bool known = false;
    bool seen = true;            // all of it
    Eigen::VectorXd guess;       // may be empty
    Eigen::VectorXd last_theta;  // of the last run
    std::vector<double> last_state;
  };

  bool simulate(const integrate::RecordTask& task, bool with_sensitivities);
  bool repeat(const EquationRecord& record, bool& found);
  bool settle(const EquationRecord& record, bool with_sensitivities);
  bool run_free(std::size_t e, const Eigen::VectorXd& theta, bool with_sensitivities);
  bool run_carried(std::size_t e, const Eigen::VectorXd& theta);
  bool begin_free(std::size_t e, const Eigen::VectorXd& theta);
  void carry(const FreeStart& known, const Eigen::VectorXd& theta);
  bool fit_start(std::size_t e, std::size_t samples, int steps, double tolerance);
  bool simulate_by_start(const integrate::RecordTask& task);
  double start_sums(std::size_t e, std::size_t samples, Eigen::MatrixXd& A,
                    Eigen::VectorXd& g) const;
  /// The factor of a residual.
  [[nodiscard]] double weight_of(std::size_t e, std::size_t k, std::size_t i) const;
  [[nodiscard]] double misfit(std::size_t e, std::size_t samples) const;
  void eliminate(std::size_t e, const Eigen::VectorXd& theta);

  const std::vector<EquationRecord>& records_;
  StartState start_;
  StartFit fit_;
  Eigen::VectorXd weights_;
  const model::CompiledEquations& compiled_;
  integrate::EquationSimulator evaluator_;
  model::EquationJacobians start_values_;
  std::size_t states_, outputs_, parameters_;
  std::vector<int> columns_, start_columns_;
  std::vector<double> x0_, start_slopes_;  // states x columns, row by row
  std::vector<double> unit_;               // states x states, row by row
  std::vector<double> y_, slopes_, x_, x_slopes_;
  std::vector<FreeStart> free_;  // of each record
};

}  // namespace alembert::identify
