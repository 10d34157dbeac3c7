#include "alembert/identify/weak_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "identify/weak_form/weak_setting.hpp"
#include "identify/weak_form/weak_window.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kAsGood = 1.005;             // cost of a shorter window over the smallest one
constexpr int kTrialIterations = 3;           // instruments while windows are compared
constexpr double kGridRatio = 1.5;            // of neighbouring windows
constexpr double kBetween = 1.22;             // its square root: half-way to a neighbour
constexpr Index kSmallestHalfWindow = 4;      // samples; 8 in the whole window
constexpr double kShareOfRecord = 1.0 / 6.0;  // longest window
constexpr double kNearNoise = 1.2;            // cost of a model that explains the responses
constexpr double kMuchWorse = 1.5;            // cost of a window that is too long
constexpr int kWorseWindows = 3;              // in a row, that end the grid

Index longest(const Experiments& data) {
  Index samples = 0;
  for (const Experiment& experiment : data) samples = std::max(samples, experiment.samples());
  return samples;
}

// Geometric grid from 8 samples to a sixth of the longest record.
std::vector<double> window_grid(const WeakSetting& setting) {
  const double step = setting.data.front().step;
  const double shortest = 2.0 * static_cast<double>(kSmallestHalfWindow) * step;
  const double upper = kShareOfRecord * static_cast<double>(longest(setting.data)) * step;
  std::vector<double> grid;
  for (double window = shortest; grid.empty() || window <= upper; window *= kGridRatio) {
    grid.push_back(window);
  }
  return grid;
}

void check_arguments(const Parametrisation& unknowns, const Experiments& data,
                     const Eigen::Ref<const MatrixXd>& L, const WeakFormOptions& options) {
  const char* name = "weak_form";
  check_experiments(name, data);
  const Index n = unknowns.degrees_of_freedom;
  const Experiment& first = data.front();
  check::size(name, "number of outputs", first.output.cols(), n);
  check::shape(name, "L", L, n, first.input.cols());
  check::all_finite(name, "L", L);
  check::at_least(name, "instrument_iterations", options.instrument_iterations, 0);
  check::non_negative(name, "window", options.window);
  (void)integrate::hold_coefficients(options.hold);
  const double half = options.window > 0.0
                          ? std::max(1.0, std::round(options.window / first.step / 2))
                          : static_cast<double>(kSmallestHalfWindow);
  const double needed = 2.0 * half + static_cast<double>(unknowns.size()) / static_cast<double>(n);
  if (static_cast<double>(longest(data)) < needed) {
    throw InvalidInput(
        {.function = "weak_form",
         .item = "the longest experiment",
         .rule = fmt::format(
             "must have at least {:.0f} samples for a window of {:.0f} samples and {} unknowns",
             std::ceil(needed), 2.0 * half, unknowns.size()),
         .value = fmt::format("{}", longest(data))});
  }
}

// The windows that were tried, and the best of them.
class WindowChoice {
 public:
  WindowChoice(const WeakSetting& setting, WeakFormEstimate& result)
      : setting_(setting),
        result_(result),
        explained_(kNearNoise *
                   std::sqrt((setting.noise.array() / setting.scale.array()).square().mean())) {}

  // True if the responses are explained down to their noise.
  [[nodiscard]] bool explained() const { return best_ != nullptr && cost() <= explained_; }

  // The shortest window whose simulated output error is within 0.5 % of the smallest: the error is
  // flat around the best window, and the longer ones of the flat part use fewer independent
  // windows.
  void try_window(double window, int iterations, bool total) {
    auto estimate = std::make_unique<WeakWindow>(setting_, window, total);
    estimate->iterate(std::min(iterations, setting_.options.instrument_iterations));
    const double cost = estimate->best().cost;
    result_.trials.push_back({estimate->window(), cost});
    if (!estimate->outcome().ok() && result_.message.empty()) {
      static_cast<Outcome&>(result_) = estimate->outcome();
    }
    worse_ = explained() && !(cost < kMuchWorse * this->cost()) ? worse_ + 1 : 0;
    if (!std::isnan(cost) && (best_ == nullptr || kAsGood * cost < this->cost())) {
      best_ = std::move(estimate);
    }
  }

  [[nodiscard]] bool past_the_best() const { return worse_ >= kWorseWindows; }
  [[nodiscard]] double window() const { return best_->window(); }
  // The first reason is in the result.
  [[nodiscard]] bool empty() const { return best_ == nullptr; }
  [[nodiscard]] std::unique_ptr<WeakWindow> take() { return std::move(best_); }

 private:
  [[nodiscard]] double cost() const { return best_->best().cost; }

  const WeakSetting& setting_;
  WeakFormEstimate& result_;
  double explained_;
  std::unique_ptr<WeakWindow> best_;
  int worse_ = 0;
};

std::unique_ptr<WeakWindow> best_of_grid(const WeakSetting& setting, WeakFormEstimate& result) {
  WindowChoice choice(setting, result);
  const std::vector<double> grid = window_grid(setting);
  for (const double window : grid) {
    if (choice.past_the_best()) break;
    choice.try_window(window, kTrialIterations, !setting.all_driven);
  }
  if (choice.empty()) return nullptr;
  // Few forces leave only a narrow range of good windows, and instruments that settle slowly; much
  // noise (5 dB) shrinks least squares too far for them even where every coordinate is driven.
  const double centre = choice.window();
  for (const double factor : {1.0, kBetween, 1.0 / kBetween, kGridRatio, 1.0 / kGridRatio}) {
    const double window = std::clamp(factor * centre, grid.front(), grid.back());
    if (!choice.explained()) choice.try_window(window, setting.options.instrument_iterations, true);
  }
  return choice.take();
}

}  // namespace

WeakFormEstimate weak_form(const Parametrisation& unknowns, const Experiments& data,
                           const Eigen::Ref<const MatrixXd>& L, model::Motion motion,
                           const WeakFormOptions& options) {
  check_arguments(unknowns, data, L, options);
  const WeakSetting setting = weak_setting(unknowns, data, L, motion, options);
  WeakFormEstimate result;
  const std::unique_ptr<WeakWindow> estimate =
      options.window > 0.0
          ? std::make_unique<WeakWindow>(setting, options.window, !setting.all_driven)
          : best_of_grid(setting, result);
  if (estimate == nullptr) return result;
  estimate->iterate(options.instrument_iterations - estimate->iterations());
  static_cast<Outcome&>(result) = estimate->outcome();
  result.window = estimate->window();
  result.iterations = estimate->iterations();
  if (options.window > 0.0) result.trials.push_back({result.window, estimate->best().cost});
  if (estimate->best().theta.size() > 0) {
    result.matrices = matrices(setting.unknowns, estimate->best().theta);
  }
  return result;
}

}  // namespace alembert::identify
