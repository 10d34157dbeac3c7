#include "identify/output_error/equation_residuals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/not_a_number.hpp"

namespace alembert::identify {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<EquationRecord> records_of(const Experiments& data, const SimulationOptions& options) {
  std::vector<EquationRecord> records;
  records.reserve(data.size());
  for (const Experiment& experiment : data) records.emplace_back(experiment, options);
  return records;
}

EquationResiduals::EquationResiduals(const model::CompiledEquations& compiled,
                                     const std::vector<EquationRecord>& records, StartState start,
                                     VectorXd weights)
    : records_(records), simulation_(compiled, records, start), weights_(std::move(weights)) {}

void EquationResiduals::run(std::size_t e, const VectorXd& theta, bool with_sensitivities) {
  if (!simulation_.run(e, theta, with_sensitivities)) {
    throw optimize::Infeasible(fmt::format("experiment {} cannot be simulated", e + 1));
  }
}

template <typename Visit>
void EquationResiduals::visit(std::size_t e, const Visit& each) {
  const MatrixXd& measured = records_[e].experiment().output;
  for (Index k = 0; k < measured.rows(); ++k) {
    for (Index i = 0; i < measured.cols(); ++i) {
      const double y = measured(k, i);
      if (std::isnan(y)) continue;
      const auto sample = static_cast<std::size_t>(k);
      const auto output = static_cast<std::size_t>(i);
      each(sample, output, weights_(i) * (y - simulation_.output(sample, output)));
    }
  }
}

Index EquationResiduals::count() const {
  Index count = 0;
  for (const EquationRecord& record : records_) {
    const MatrixXd& measured = record.experiment().output;
    count += measured.size() - measured.array().isNaN().count();
  }
  return count;
}

double EquationResiduals::cost(const VectorXd& theta) {
  double sum = 0.0;
  for (std::size_t e = 0; e < records_.size(); ++e) {
    run(e, theta, false);
    visit(e, [&](std::size_t, std::size_t, double residual) { sum += residual * residual; });
  }
  return sum;
}

void EquationResiduals::add(const VectorXd& theta, optimize::NormalEquations& sums) {
  for (std::size_t e = 0; e < records_.size(); ++e) {
    run(e, theta, true);
    visit(e, [&](std::size_t k, std::size_t i, double residual) {
      row_ = -weights_(static_cast<Index>(i)) * simulation_.slope(k, i);
      sums.add(residual, row_);
    });
  }
}

std::vector<optimize::ColouredBlock> EquationResiduals::blocks(const VectorXd& theta,
                                                               const MatrixXd& chain) {
  std::vector<optimize::ColouredBlock> result;
  for (std::size_t e = 0; e < records_.size(); ++e) {
    run(e, theta, true);
    const MatrixXd& measured = records_[e].experiment().output;
    const std::size_t first = result.size();
    for (Index i = 0; i < measured.cols(); ++i) {
      result.push_back({.jacobian = MatrixXd::Zero(measured.rows(), chain.cols()),
                        .residual = VectorXd::Constant(measured.rows(), kNaN),
                        .channel = static_cast<int>(i),
                        .experiment = static_cast<int>(e)});
    }
    visit(e, [&](std::size_t k, std::size_t i, double residual) {
      optimize::ColouredBlock& block = result[first + i];
      const auto row = static_cast<Index>(k);
      block.residual(row) = residual;
      block.jacobian.row(row) =
          -weights_(static_cast<Index>(i)) * (simulation_.slope(k, i).transpose() * chain);
    });
  }
  // An output that was not measured in an experiment says nothing.
  std::erase_if(result, [](const optimize::ColouredBlock& block) {
    return block.residual.array().isNaN().all();
  });
  return result;
}

optimize::Objective objective_of(const std::shared_ptr<EquationResiduals>& residuals) {
  return {.cost = [residuals](const VectorXd& theta) { return residuals->cost(theta); },
          .sums = [residuals](const VectorXd& theta,
                              optimize::NormalEquations& sums) { residuals->add(theta, sums); },
          .residuals = residuals->count()};
}

double rms_of(const std::vector<MatrixXd>& matrices, Index column, bool about_mean) {
  double sum = 0.0;
  double squares = 0.0;
  double count = 0.0;
  for (const MatrixXd& matrix : matrices) {
    for (Index k = 0; k < matrix.rows(); ++k) {
      const double value = matrix(k, column);
      if (std::isnan(value)) continue;
      sum += value;
      squares += value * value;
      count += 1.0;
    }
  }
  const double mean = about_mean ? sum / count : 0.0;
  return std::sqrt(std::max(squares / count - mean * mean, 0.0));
}

}  // namespace alembert::identify
