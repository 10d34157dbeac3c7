#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "identify/output_error/start_strategy.hpp"
#include "identify/output_error/window_result.hpp"

// The part of the search for a start that keeps windows where whole records depart from
// simulations.

namespace alembert::identify {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

// Windows are merged up to this growth.
constexpr double kWindowGrowth = 4.0;
// Whole records depart if their residuals have a variance so many times that of the windows, and
// are this part of the output: a model with faults that still follows the record does not depart.
constexpr double kNoVariance = std::numeric_limits<double>::infinity();
constexpr int kStepsOfWindows = 40;
// Whole records that leave no more than this part follow the data.
constexpr double kFollowed = 0.15;
// Windows of a length that is found begin with so many in a record, and so many samples for each
// state and one more.
constexpr double kMostPieces = 32.0;
constexpr double kLeastSamplesOfState = 4.0;
// Windows may be so long that their residuals have this many times the least variance.
constexpr double kMostVariance = 2.0;
constexpr double kDeparted = 4.0;
constexpr double kDepartedPart = 0.3;

}  // namespace

// Keeps the windows, merged as far as they stay predictable, if they are the best so far.
void StartSearch::consider_windows(const WindowEstimate& estimate, OutputErrorResult& result) {
  WindowEstimate merged = merge_windows(bare_setting(result), estimate, kWindowGrowth);
  result.evaluations += merged.evaluations;
  const auto states = static_cast<Index>(merged.windows.size()) * merged.point.states.rows();
  const Index freedom = measured_samples(data_) - states;
  // States of windows as many as samples would fit anything.
  if (merged.status == Status::NotFinite || freedom <= states) return;
  const double variance = merged.point.misfit / static_cast<double>(freedom);
  if (variance >= kept_variance_) return;
  kept_variance_ = variance;
  kept_ = std::move(merged);
}

bool StartSearch::departs(const OutputErrorResult& result) const {
  if (kept_.windows.empty()) return false;
  if (result.parameters.size() == 0) return true;
  const double of_records = result.cost / static_cast<double>(measured_samples(data_));
  if (!std::isfinite(of_records)) return true;
  return of_records > kDeparted * kept_variance_ && judge_records(result).left > kDepartedPart;
}

void StartSearch::take_windows(OutputErrorResult& result) const {
  static_cast<Outcome&>(result) = kept_;
  result.strategy = StartStrategy::Windows;
  result.parameters = kept_.point.theta;
  result.cost = kept_.point.misfit;
  result.growth = kept_.growth;
  result.windows = static_cast<Index>(kept_.windows.size());
  result.note = fmt::format(
      "simulations of whole records depart from the data: a change of the start grows by a factor "
      "of 1e{:.0f} along a record (chaos, or an unstable motion). The estimate is that of {} "
      "windows with free start states",
      kept_.growth / std::log(10.0), result.windows);
}

// As many windows as come nearest to a length, fitted from theta.
WindowEstimate StartSearch::windows_of(double length, const VectorXd& theta,
                                       OutputErrorResult& result) {
  const Experiment& first = data_.front();
  const auto samples = static_cast<double>(first.samples());
  const double count = std::max(std::round(samples * first.step / length), 1.0);
  const auto each = static_cast<std::size_t>(std::max(std::floor(samples / count), 1.0));
  WindowEstimate found;
  if (follows_) {
    found = windows_along(bare_setting(result), theta, result.prediction.starts, each);
    if (found.ok()) found = refit_windows(bare_setting(result), std::move(found));
    result.evaluations += found.evaluations;
    if (found.ok()) return found;
  }
  found = estimate_in_windows(setting(result), theta, each, kStepsOfWindows);
  result.evaluations += found.evaluations;
  if (found.ok()) found = refit_windows(bare_setting(result), std::move(found));
  result.evaluations += found.evaluations;
  return found;
}

// The best of those from several parameters.
WindowEstimate StartSearch::best_windows_of(double length, const std::vector<VectorXd>& starts,
                                            OutputErrorResult& result) {
  WindowEstimate best;
  for (const VectorXd& theta : starts) {
    WindowEstimate one = windows_of(length, theta, result);
    const bool nothing = best.windows.empty() || best.status == Status::NotFinite;
    if (one.status == Status::NotFinite && !nothing) continue;
    if (nothing || one.point.misfit < best.point.misfit) best = std::move(one);
  }
  return best;
}

// Each length is twice the one before, from a quarter of a wave or of a record's 32nd part on, up
// to a whole record.
WindowEstimate StartSearch::longest_windows(std::vector<VectorXd> starts,
                                            OutputErrorResult& result) {
  const double step = data_.front().step;
  const auto samples = static_cast<double>(data_.front().samples());
  std::vector<WindowEstimate> all;
  double best = kNoVariance;
  const double shortest =
      std::max(std::min(static_cast<double>(quarter_wave(setting(result))), samples / kMostPieces),
               kLeastSamplesOfState * static_cast<double>(model_.model().states().size() + 1));
  for (double length = shortest; length <= samples && !stopped(); length *= 2.0) {
    WindowEstimate one = best_windows_of(length * step, starts, result);
    const double variance = variance_of(one);
    result.window_lengths.push_back({length * step, variance});
    if (std::isfinite(variance)) starts = {one.point.theta};
    best = std::min(best, variance);
    all.push_back(std::move(one));
  }
  for (std::size_t k = all.size(); k-- > 0;) {
    if (result.window_lengths[k].variance <= kMostVariance * best) return std::move(all[k]);
  }
  WindowEstimate none;
  static_cast<Outcome&>(none) = {Status::NotFinite, "no windows can be simulated from the guess"};
  return none;
}

// Infinite where the windows have too few samples for their states.
double StartSearch::variance_of(const WindowEstimate& estimate) const {
  if (estimate.status == Status::NotFinite || estimate.windows.empty()) return kNoVariance;
  const auto states = static_cast<Index>(estimate.windows.size()) * estimate.point.states.rows();
  const Index freedom = measured_samples(data_) - states;
  if (freedom <= states) return kNoVariance;
  return estimate.point.misfit / static_cast<double>(freedom);
}

// Windows of the length asked for, from the best parameters so far or from the guess.
void StartSearch::windows_asked_for(OutputErrorResult& result) {
  // Whole records of an unstable plant lead far off, those of others near: where they follow the
  // data, the guess tells no more.
  std::vector<VectorXd> starts;
  const bool searched = result.parameters.size() > 0 && std::isfinite(result.cost);
  if (searched) starts.push_back(result.parameters);
  follows_ = searched && judge_records(result).left <= kFollowed;
  if (!follows_) {
    const optimize::Transformation map(parameters_);
    map.to_parameters(map.start(), starts.emplace_back());
  }
  WindowEstimate found = options_.find_window ? longest_windows(starts, result)
                                              : best_windows_of(options_.window, starts, result);
  if (found.status == Status::NotFinite) {
    static_cast<Outcome&>(result) = found;
    return;
  }
  found.growth = result.growth;
  kept_ = std::move(found);
  take_windows(result);
  weigh_windows(result);
  result.note.clear();
}

// Weights of several outputs by their residuals, and the windows fitted again, until they stay.
void StartSearch::weigh_windows(OutputErrorResult& result) {
  const bool again = options_.weights.size() == 0 && result.weights.size() > 1;
  for (int turn = 0; again && turn < kWeighings && result.ok() && !stopped(); ++turn) {
    const EquationPrediction prediction =
        predict_windows(model_, data_, kept_, options_.simulation);
    if (!prediction.ok()) return;
    const VectorXd weights = weights_by_residuals(data_, prediction.rms);
    const bool settled = same_weights(weights, result.weights);
    result.weights = weights;
    kept_ = refit_windows(bare_setting(result), std::move(kept_));
    result.evaluations += kept_.evaluations;
    take_windows(result);
    if (settled) return;
  }
}

}  // namespace alembert::identify
