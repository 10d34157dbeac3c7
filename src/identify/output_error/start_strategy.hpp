#pragma once

#include <limits>
#include <vector>

#include "identify/output_error/search.hpp"
#include "identify/output_error/window_start.hpp"

namespace alembert::identify {

/// The first search, by the ways that the options ask for: fills in what a plain search fills in,
/// the trials, the way that won and, if the records depart from simulations as a whole, the
/// windows that are kept.
class StartSearch {
 public:
  StartSearch(const StartSearch&) = delete;
  StartSearch& operator=(const StartSearch&) = delete;
  /// The arguments must outlive it.
  StartSearch(const model::CompiledEquations& model, const Experiments& data,
              const std::vector<EquationRecord>& records,
              const std::vector<optimize::Parameter>& parameters,
              const OutputErrorOptions& options);

  /// @param result comes with the weights.
  void run(OutputErrorResult& result);
  /// Guesses at the result, for further searches.
  [[nodiscard]] std::vector<optimize::Parameter> guesses(const Eigen::VectorXd& theta) const;
  /// The windows of a result with windows.
  [[nodiscard]] const WindowEstimate& windows() const { return kept_; }

 private:
  struct Judgement {
    double left = 1.0;
    bool as_noise = false;
    bool small = false;  ///< it may be the error of the steps
  };

  void search_ways(OutputErrorResult& result);
  void nearby_starts(OutputErrorResult& result);
  void plain(OutputErrorResult& result, const Machines* machines);
  void equation_error_start(OutputErrorResult& result);
  void window_start(OutputErrorResult& result);
  void scattered_window_starts(OutputErrorResult& result);
  void search_joined(WindowEstimate estimate, OutputErrorResult& result);
  void search_from(const Eigen::VectorXd& theta, StartTrial trial, OutputErrorResult& result);
  void consider_windows(const WindowEstimate& estimate, OutputErrorResult& result);
  void take_windows(OutputErrorResult& result) const;
  void windows_asked_for(OutputErrorResult& result);
  [[nodiscard]] WindowEstimate windows_of(double length, const Eigen::VectorXd& theta,
                                          OutputErrorResult& result);
  [[nodiscard]] WindowEstimate best_windows_of(double length,
                                               const std::vector<Eigen::VectorXd>& starts,
                                               OutputErrorResult& result);
  [[nodiscard]] WindowEstimate longest_windows(std::vector<Eigen::VectorXd> starts,
                                               OutputErrorResult& result);
  [[nodiscard]] double variance_of(const WindowEstimate& estimate) const;
  void weigh_windows(OutputErrorResult& result);
  [[nodiscard]] Judgement judge(const EquationPrediction& prediction) const;
  [[nodiscard]] static bool steps_show(const EquationPrediction& coarse,
                                       const EquationPrediction& fine,
                                       const Eigen::VectorXd& weights);
  [[nodiscard]] Judgement judge_records(const OutputErrorResult& result) const;
  [[nodiscard]] bool departs(const OutputErrorResult& result) const;
  [[nodiscard]] bool stopped() const;
  [[nodiscard]] bool settled(const OutputErrorResult& result) const;
  [[nodiscard]] StartSetting setting(const OutputErrorResult& result);
  // The same for what does not look at smoothed outputs.
  [[nodiscard]] StartSetting bare_setting(const OutputErrorResult& result) const;

  const model::CompiledEquations& model_;
  const Experiments& data_;
  const std::vector<EquationRecord>& records_;
  const std::vector<optimize::Parameter>& parameters_;
  std::vector<optimize::Parameter> window_parameters_;
  const OutputErrorOptions& options_;
  OutputErrorOptions full_options_;   // with on_improvement for what beats best_cost_ alone
  OutputErrorOptions quick_options_;  // and with derivatives, for few evaluations
  OutputErrorSearch plain_search_, full_search_, quick_search_;
  double best_cost_ = std::numeric_limits<double>::infinity();
  std::vector<SmoothOutputs> smooth_;
  std::vector<Eigen::VectorXd> regressed_;  // parameters by equation error, if any
  WindowEstimate kept_;
  bool follows_ = false;  // whole records follow the data: windows begin where they are
  double kept_variance_ = std::numeric_limits<double>::infinity();
};

}  // namespace alembert::identify
