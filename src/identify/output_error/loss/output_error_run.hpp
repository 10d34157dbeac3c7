#pragma once

#include <vector>

#include "identify/output_error/window_start.hpp"

namespace alembert::identify {

/// The steps of output_error(): a search by least squares, or several of them with weights that a
/// loss makes of the residuals, and the statistics at the end.
class OutputErrorRun {
 public:
  OutputErrorRun(const OutputErrorRun&) = delete;
  OutputErrorRun& operator=(const OutputErrorRun&) = delete;
  /// The arguments must outlive it.
  OutputErrorRun(const model::CompiledEquations& model,
                 const std::vector<optimize::Parameter>& parameters,
                 const OutputErrorOptions& options)
      : model_(model), parameters_(parameters), options_(options) {}

  /// Searches by least squares.
  void search(const Experiments& data);
  /// Searches with the loss of the options.
  /// @param gross samples that the first search leaves out.
  void search_robustly(const Experiments& data, const std::vector<Outlier>& gross);
  /// What was found, with statistics if the options ask for them.
  /// @param data those of the search.
  [[nodiscard]] OutputErrorResult result(const Experiments& data);

 private:
  void search_from(const Experiments& data, const std::vector<optimize::Parameter>& parameters,
                   const OutputErrorOptions& options);
  void score(const Experiments& data, const std::vector<optimize::Parameter>& parameters,
             const OutputErrorOptions& options);
  void search_again(const Experiments& data);
  void renew_weights(const Experiments& data, Loss loss);
  void keep_away(const Experiments& data, const std::vector<Outlier>& gross);
  void take_outliers(const Experiments& data, std::vector<Outlier> outliers);
  void judge(const Experiments& data);
  [[nodiscard]] bool searched() const;
  [[nodiscard]] double step_error(const Experiments& data) const;

  const model::CompiledEquations& model_;
  const std::vector<optimize::Parameter>& parameters_;
  const OutputErrorOptions& options_;
  OutputErrorResult found_;
  WindowEstimate windows_;
  Loss loss_ = Loss::Squares;  // of the residuals in the end
  Eigen::VectorXd scales_;     // with another loss
};

}  // namespace alembert::identify
