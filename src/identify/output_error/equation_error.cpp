#include "identify/output_error/equation_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Samples at both ends where the derivatives of a smoothing spline are poor.
constexpr Index kPoorEnds = 3;
// Regressions from the guess and from guesses drawn about it, over at most about so many samples.
constexpr std::uint64_t kRegressions = 12;
constexpr Index kRegressed = 500;

// States, their derivatives and inputs along all records, and the residuals x̃' - f.
class EquationRegression {
 public:
  EquationRegression(const StartSetting& setting, const StateReader& reader, Index most_samples)
      : setting_(setting),
        evaluator_(setting.model),
        room_(evaluator_.derivative_jacobians()),
        start_(evaluator_.start_jacobians()),
        n_(static_cast<Index>(setting.model.model().states().size())) {
    for (std::size_t e = 0; e < setting.records.size(); ++e) {
      const Index samples = setting.records[e].experiment().samples();
      MatrixXd states = MatrixXd::Zero(n_, samples);
      MatrixXd slopes(n_, samples);
      for (Index k = 0; k < samples; ++k) {
        reader.correct(setting.smooth[e], k, states.col(k).data());
        slopes.col(k) = reader.slopes(setting.smooth[e], k);
      }
      states_.push_back(std::move(states));
      slopes_.push_back(std::move(slopes));
    }
    Index samples = 0;
    for (const MatrixXd& one : states_) samples += one.cols();
    stride_ = std::max<Index>(samples / most_samples, 1);
    scales_ = size_of(slopes_);
    start_scales_ = size_of(states_);
  }

  void add(const VectorXd& theta, optimize::NormalEquations& sums) {
    evaluator_.set_parameters({theta.data(), static_cast<std::size_t>(theta.size())});
    for (std::size_t e = 0; e < states_.size(); ++e) {
      add_start(e, theta, sums);
      const Experiment& experiment = setting_.records[e].experiment();
      for (Index k = kPoorEnds; k + kPoorEnds < states_[e].cols(); k += stride_) {
        const VectorXd u = experiment.input.row(k);
        const double t = experiment.start_time + static_cast<double>(k) * experiment.step;
        evaluator_.derivatives(t, states_[e].col(k).data(), u.data(), room_);
        for (Index j = 0; j < n_; ++j) {
          add_row(j, slopes_[e](j, k) - room_.values[static_cast<std::size_t>(j)], scales_(j),
                  room_.by_parameter, theta.size(), sums);
        }
      }
    }
  }

 private:
  static VectorXd size_of(const std::vector<MatrixXd>& all) {
    VectorXd sums = VectorXd::Zero(all.front().rows());
    double count = 0.0;
    for (const MatrixXd& one : all) {
      sums += one.rowwise().squaredNorm();
      count += static_cast<double>(one.cols());
    }
    VectorXd sizes = (sums / count).cwiseSqrt();
    for (double& size : sizes) size = size > 0.0 ? size : 1.0;
    return sizes;
  }

  void add_row(Index j, double error, double scale, const std::vector<double>& by_parameter,
               Index parameters, optimize::NormalEquations& sums) {
    row_.resize(parameters);
    for (Index c = 0; c < parameters; ++c) {
      row_(c) = -by_parameter[static_cast<std::size_t>(c * n_ + j)] / scale;
    }
    sums.add(error / scale, row_);
  }

  // The start of the model against the first state, for parameters that act there alone.
  void add_start(std::size_t e, const VectorXd& theta, optimize::NormalEquations& sums) {
    const StartState start = setting_.options.simulation.start;
    if (start == StartState::Periodic || start == StartState::Free) return;
    start_of(setting_.records[e], evaluator_, start_);
    for (Index j = 0; j < n_; ++j) {
      add_row(j, states_[e](j, 0) - start_.values[static_cast<std::size_t>(j)], start_scales_(j),
              start_.by_parameter, theta.size(), sums);
    }
  }

  const StartSetting& setting_;
  model::EquationEvaluator evaluator_;
  model::EquationJacobians room_, start_;
  Index n_, stride_ = 1;
  std::vector<MatrixXd> states_, slopes_;
  VectorXd scales_, start_scales_, row_;
};

}  // namespace

EquationErrorGuess equation_error(const StartSetting& setting) {
  const optimize::Transformation map(setting.parameters);
  EquationErrorGuess result;
  map.to_parameters(map.start(), result.theta);
  const StateReader reader(setting.model, result.theta);
  const bool smooth = std::all_of(setting.smooth.begin(), setting.smooth.end(),
                                  [](const SmoothOutputs& s) { return s.second.allFinite(); });
  if (!reader.complete() || !smooth) {
    result.status = Status::NotIdentifiable;
    result.message = "the outputs and their derivatives do not determine all states";
    return result;
  }
  const auto regression = std::make_shared<EquationRegression>(setting, reader, kRegressed);
  const optimize::Objective objective{
      .sums = [regression](const VectorXd& theta, optimize::NormalEquations& sums) {
        regression->add(theta, sums);
      }};
  std::vector<optimize::Parameter> moved = setting.parameters;
  double best = std::numeric_limits<double>::infinity();
  for (std::uint64_t draw = 0; draw < kRegressions; ++draw) {
    const optimize::Minimum found =
        optimize::minimise({moved, objective}, {.solver = optimize::Solver::LevenbergMarquardt,
                                                .max_evaluations = 100,
                                                .cost_tolerance = 1e-6,
                                                .stop = setting.options.search.stop});
    result.evaluations += found.evaluations;
    if (found.cost < best) {
      best = found.cost;
      result.theta = found.parameters;
    }
    const VectorXd next = scattered_guess(setting, draw);
    for (std::size_t k = 0; k < moved.size(); ++k) moved[k].guess = next(static_cast<Index>(k));
  }
  if (!std::isfinite(best)) {
    result.status = Status::NotFinite;
    result.message = "the equations cannot be evaluated along the smoothed states";
  }
  return result;
}

}  // namespace alembert::identify
