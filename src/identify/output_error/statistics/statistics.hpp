#pragma once

#include <functional>
#include <string>
#include <vector>

#include "identify/output_error/equation_record.hpp"

namespace alembert::identify {

/// Names of the free parameters that stand at a bound, as minimise() says it.
[[nodiscard]] std::vector<std::string> at_bound_of(
    const std::vector<optimize::Parameter>& parameters, const Eigen::VectorXd& theta);

/// Names of the free parameters that are not among `at_bound`.
[[nodiscard]] std::vector<std::string> fitted_names(
    const std::vector<optimize::Parameter>& parameters, const std::vector<std::string>& at_bound);

/// ∂θ/∂(parameters of these names): one in the place of each name, the factor where one is tied to
/// it.
[[nodiscard]] Eigen::MatrixXd chain_of(const std::vector<std::string>& names,
                                       const std::vector<optimize::Parameter>& parameters);

/// Whether samples have weights.
[[nodiscard]] bool are_weighed(const std::vector<EquationRecord>& records);

/// Fills in the statistics of a whole-record fit, for white and for coloured residuals.
void find_statistics(const model::CompiledEquations& model,
                     const std::vector<EquationRecord>& records,
                     const std::vector<optimize::Parameter>& parameters,
                     const OutputErrorOptions& options, OutputErrorResult& result);

/// Residuals of each output of each experiment at θ, with their derivatives by the columns of
/// `chain`, ∂θ/∂(wanted parameters). May throw optimize::Infeasible.
using BlocksAt = std::function<std::vector<optimize::ColouredBlock>(const Eigen::VectorXd& theta,
                                                                    const Eigen::MatrixXd& chain)>;

/// The same from any residuals, without what needs equations: growth and jumps.
void find_column_statistics(const BlocksAt& blocks,
                            const std::vector<optimize::Parameter>& parameters,
                            OutputErrorResult& result);

/// |Δŷ|/|y - ŷ| between a prediction and the outputs `finer`, weighted, over measured samples.
[[nodiscard]] double relative_change(const EquationPrediction& prediction,
                                     const std::vector<Eigen::MatrixXd>& finer,
                                     const Eigen::VectorXd& weights);

}  // namespace alembert::identify
