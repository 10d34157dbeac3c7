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

EquationResiduals::EquationResiduals(const model::CompiledEquations& compiled,
                                     const std::vector<EquationRecord>& records, StartState start,
                                     VectorXd weights, StartFit fit)
    : records_(records),
      free_states_(start == StartState::Free ? static_cast<Index>(compiled.model().states().size())
                                             : 0),
      simulation_(compiled, records, start, weights, fit),
      weights_(std::move(weights)) {}

void EquationResiduals::run(std::size_t e, const VectorXd& theta, bool with_sensitivities) {
  if (!simulation_.run(e, theta, with_sensitivities)) {
    throw optimize::Infeasible(fmt::format("experiment {} cannot be simulated", e + 1));
  }
}

template <typename Visit>
void EquationResiduals::visit(std::size_t e, const Visit& each) {
  const Experiment& experiment = records_[e].experiment();
  const MatrixXd& measured = experiment.output;
  for (Index k = 0; k < measured.rows(); ++k) {
    for (Index i = 0; i < measured.cols(); ++i) {
      const double y = measured(k, i);
      if (std::isnan(y)) continue;
      const auto sample = static_cast<std::size_t>(k);
      const auto output = static_cast<std::size_t>(i);
      const double weight = weights_(i) * experiment.weight_of(k, i);
      each(sample, output, weight, weight * (y - simulation_.output(sample, output)));
    }
  }
}

Index EquationResiduals::count() const {
  Index count = 0;
  for (const EquationRecord& record : records_) {
    const MatrixXd& measured = record.experiment().output;
    count += measured.size() - measured.array().isNaN().count();
  }
  return count - start_count();
}

double EquationResiduals::cost(const VectorXd& theta) {
  double sum = 0.0;
  for (std::size_t e = 0; e < records_.size(); ++e) {
    run(e, theta, false);
    visit(e,
          [&](std::size_t, std::size_t, double, double residual) { sum += residual * residual; });
  }
  return sum;
}

void EquationResiduals::add(const VectorXd& theta, optimize::NormalEquations& sums) {
  for (std::size_t e = 0; e < records_.size(); ++e) {
    run(e, theta, true);
    visit(e, [&](std::size_t k, std::size_t i, double weight, double residual) {
      row_ = -weight * simulation_.slope(k, i);
      sums.add(residual, row_);
    });
  }
}

std::vector<optimize::ColouredBlock> EquationResiduals::blocks(const VectorXd& theta,
                                                               const MatrixXd& chain,
                                                               bool with_starts) {
  std::vector<optimize::ColouredBlock> result;
  const Index p = chain.cols();
  const bool starts = with_starts && free_states_ > 0;
  const bool apart = free_states_ > 0 && !starts;
  const Index columns = p + (starts ? start_count() : 0);
  start_blocks_.assign(apart ? records_.size() : 0, {});
  for (std::size_t e = 0; e < records_.size(); ++e) {
    run(e, theta, true);
    const MatrixXd& measured = records_[e].experiment().output;
    const std::size_t first = result.size();
    for (Index i = 0; i < measured.cols(); ++i) {
      result.push_back({.jacobian = MatrixXd::Zero(measured.rows(), columns),
                        .residual = VectorXd::Constant(measured.rows(), kNaN),
                        .channel = static_cast<int>(i),
                        .experiment = static_cast<int>(e)});
      if (!apart) continue;
      start_blocks_[e].push_back(result.back());
      start_blocks_[e].back().jacobian = MatrixXd::Zero(measured.rows(), free_states_);
    }
    visit(e, [&](std::size_t k, std::size_t i, double weight, double residual) {
      optimize::ColouredBlock& block = result[first + i];
      const auto row = static_cast<Index>(k);
      block.residual(row) = residual;
      block.jacobian.row(row).head(p) = -weight * (simulation_.slope(k, i).transpose() * chain);
      if (apart) {
        start_blocks_[e][i].residual(row) = residual;
        start_blocks_[e][i].jacobian.row(row) = -weight * simulation_.start_slope(k, i);
      }
      if (!starts) return;
      block.jacobian.row(row).segment(p + free_states_ * static_cast<Index>(e), free_states_) =
          -weight * simulation_.start_slope(k, i);
    });
  }
  // An output that was not measured in an experiment says nothing.
  const auto is_empty = [](const optimize::ColouredBlock& block) {
    return block.residual.array().isNaN().all();
  };
  std::erase_if(result, is_empty);
  for (std::vector<optimize::ColouredBlock>& record : start_blocks_) {
    std::erase_if(record, is_empty);
  }
  return result;
}

MatrixXd EquationResiduals::starts_by_parameter(const MatrixXd& chain) const {
  MatrixXd result(start_count(), chain.cols());
  for (std::size_t e = 0; free_states_ > 0 && e < records_.size(); ++e) {
    result.middleRows(free_states_ * static_cast<Index>(e), free_states_) =
        simulation_.start_by_parameter(e) * chain;
  }
  return result;
}

MatrixXd EquationResiduals::starts(const VectorXd& theta) {
  MatrixXd starts;
  for (std::size_t e = 0; e < records_.size(); ++e) {
    run(e, theta, false);
    const std::vector<double>& start = simulation_.start();
    starts.conservativeResize(static_cast<Index>(start.size()), static_cast<Index>(e) + 1);
    starts.rightCols(1) = Eigen::Map<const VectorXd>(start.data(), starts.rows());
  }
  return starts;
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
