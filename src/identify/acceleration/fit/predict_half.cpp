#include "identify/acceleration/fit/predict_half.hpp"

#include <cmath>
#include <limits>

#include "identify/acceleration/fit/examine_record.hpp"
#include "identify/acceleration/fit/refined_motion.hpp"
#include "identify/verdict/unsure.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kFewestForHalf = 4.0;  // cycles: two to fit, as a record needs
constexpr double kNotSimulated = std::numeric_limits<double>::infinity();
constexpr double kNothingExcused = 0.0;

double rms_about(const VectorXd& signal, double middle) {
  return std::sqrt((signal.array() - middle).square().mean());
}

/// Simulates the second half for an estimate of the first.
class SecondHalf {
 public:
  SecondHalf(const EquationOfMotion& equation, const AccelerationRecord& record)
      : equation_(equation), record_(record), rest_(record.samples() - record.samples() / 2) {}

  /// Mean square by which the second half moves if θ moves by `change`.
  [[nodiscard]] double moved(const VectorXd& theta, const VectorXd& before,
                             const VectorXd& change) const {
    const VectorXd after = acceleration_for(equation_, record_, theta + change);
    return after.size() == 0
               ? kNotSimulated
               : (after - before).tail(rest_).squaredNorm() / static_cast<double>(rest_);
  }

 private:
  const EquationOfMotion& equation_;
  const AccelerationRecord& record_;
  Index rest_;
};

double half_unsure(const SecondHalf& second, const VectorXd& theta, const VectorXd& before,
                   const MatrixXd& directions) {
  if (directions.cols() == 0) return kNothingExcused;
  VectorXd moved(directions.cols());
  for (Index i = 0; i < moved.size(); ++i) {
    moved(i) = second.moved(theta, before, directions.col(i));
  }
  return std::sqrt(unsure_mean_square(moved));
}

}  // namespace

std::optional<HalfPrediction> predict_half(const EquationOfMotion& equation,
                                           const AccelerationRecord& record,
                                           const AccelerationOptions& options,
                                           const RecordFit& fit) {
  if (fit.diagnosis.cycles.count < kFewestForHalf) return std::nullopt;
  EquationRefineOptions refinement = options.refinement;
  refinement.parameters = entries_for(equation, options.parameters);
  refinement.part = 0.5;
  const RefinedEquation half = refine_equation(equation, record,
                                               {.x0 = fit.refined->x0,
                                                .v0 = fit.refined->v0,
                                                .offset = fit.refined->offset,
                                                .parameters = fit.refined->parameters},
                                               fit.refined->offset_fitted, refinement);
  if (!half.ok()) return std::nullopt;
  const SecondHalf second(equation, record);
  const VectorXd theta = stacked_unknowns(half);
  const VectorXd predicted = acceleration_for(equation, record, theta);
  if (predicted.size() == 0) return std::nullopt;
  const VectorXd left = record.acceleration - predicted;
  const Index used = record.samples() / 2, rest = record.samples() - used;
  const VectorXd measured = record.acceleration.tail(rest);
  return HalfPrediction{.fitted = rms_about(left.head(used), 0.0),
                        .predicted = rms_about(left.tail(rest), 0.0),
                        .motion = rms_about(measured, measured.mean()),
                        .effective_samples = half.search.coloured.effective_samples,
                        .unsure = half_unsure(second, theta, predicted, open_directions(half))};
}

}  // namespace alembert::identify
