#include "alembert/identify/weak_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"
#include "alembert/signal/snr.hpp"
#include "core/algebra/decompositions.hpp"
#include "identify/weak_form/quick_prediction.hpp"
#include "identify/weak_form/weak_equations.hpp"
#include "identify/weak_form/weak_solve.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kSameInstruments = 1e-5;     // relative change that ends the instruments
constexpr double kAsGood = 1.005;             // cost of a shorter window over the smallest one
constexpr int kTrialIterations = 3;           // instruments while windows are compared
constexpr double kGridRatio = 1.5;            // of neighbouring windows
constexpr double kBetween = 1.22;             // its square root: half-way to a neighbour
constexpr Index kSmallestHalfWindow = 4;      // samples; 8 in the whole window
constexpr double kShareOfRecord = 1.0 / 6.0;  // longest window
constexpr double kNearNoise = 1.2;            // cost of a model that explains the responses
constexpr double kMuchWorse = 1.5;            // cost of a window that is too long
constexpr int kWorseWindows = 3;              // in a row, that end the grid

// Floors of the simulated model. Lower than the defaults of clipped(): they only have to keep the
// simulation stable, and a stiffness range of 1e3 would cut slow modes off.
constexpr double kMassFloor = 1e-3;
constexpr double kOtherFloor = 1e-6;

// What stays the same for all windows.
struct Setting {
  Parametrisation unknowns;  // affine
  const Experiments& data;
  MatrixXd L;
  model::Motion motion;
  VectorXd scale;   // rms of each output
  bool all_driven;  // there is a force on every coordinate
  VectorXd noise;   // standard deviation of the white noise of each output
  QuickPrediction predict;
  WeakFormOptions options;
};

// Proportional damping is not linear in its unknowns: every entry of D is free instead.
Parametrisation affine(const Parametrisation& unknowns) {
  Parametrisation result = unknowns;
  if (!unknowns.proportional_damping) return result;
  const Index n = unknowns.degrees_of_freedom;
  const Index half = n * (n + 1) / 2;
  const Index columns = unknowns.basis.cols();
  std::vector<Eigen::Triplet<double>> entries;
  for (Index column = 0; column < columns; ++column) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(unknowns.basis, column); it; ++it) {
      entries.emplace_back(it.row(), column, it.value());
    }
  }
  for (Index i = 0; i < half; ++i) entries.emplace_back(half + i, columns + i, 1.0);
  result.basis.resize(3 * half, columns + half);
  result.basis.setFromTriplets(entries.begin(), entries.end());
  result.proportional_damping = false;
  result.names.resize(static_cast<std::size_t>(columns));
  result.units.resize(static_cast<std::size_t>(columns));
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; ++i) result.names.push_back(fmt::format("D{}{}", i + 1, j + 1));
  }
  result.units.resize(result.names.size());
  return result;
}

VectorXd rms_of_outputs(const Experiments& data) {
  VectorXd sum = VectorXd::Zero(data.front().output.cols());
  VectorXd count = sum;
  for (const Experiment& experiment : data) {
    for (Index c = 0; c < sum.size(); ++c) {
      for (const double value : experiment.output.col(c)) {
        if (std::isnan(value)) continue;
        sum(c) += value * value;
        count(c) += 1.0;
      }
    }
  }
  const VectorXd rms = (sum.array() / count.array().max(1.0)).sqrt();
  // A channel of zeros says nothing; a scale of 1 keeps its equation in.
  return (rms.array() > 0.0).select(rms, 1.0);
}

// White noise of each output, smallest over the experiments: what the others have more is signal.
VectorXd noise_of_outputs(const Experiments& data) {
  VectorXd noise(data.front().output.cols());
  for (Index c = 0; c < noise.size(); ++c) {
    noise(c) = std::numeric_limits<double>::infinity();
    for (const Experiment& experiment : data) {
      const VectorXd values = experiment.output.col(c);
      const Index rest = values.size() - 1;
      const bool enough = (values.head(rest) + values.tail(rest)).array().isFinite().count() >= 100;
      if (enough) noise(c) = std::min(noise(c), signal::noise_by_differences(values).sigma);
    }
    if (!std::isfinite(noise(c))) noise(c) = 0.0;
  }
  return noise;
}

// A model of the system and how it predicts the data.
struct Iterate {
  VectorXd theta;
  double cost = kNaN;  // rms of the output error, each output by its rms
  std::vector<MatrixXd> predictions;
};

// Clipped in coordinates of unit rms, so that metres and radians do not compete.
Matrices stable(const Setting& setting, const VectorXd& theta) {
  const Matrices raw = matrices(setting.unknowns, theta);
  const MatrixXd S = setting.scale.asDiagonal();
  const MatrixXd R = setting.scale.cwiseInverse().asDiagonal();
  const Matrices unit =
      clipped({S * raw.M * S, S * raw.D * S, S * raw.K * S}, kMassFloor, kOtherFloor);
  return {symmetrised(R * unit.M * R), symmetrised(R * unit.D * R), symmetrised(R * unit.K * R)};
}

void simulate_iterate(const Setting& setting, Iterate& iterate) {
  const Matrices matrices = stable(setting, iterate.theta);
  QuickPrediction::Result prediction =
      setting.predict({matrices.M, matrices.D, matrices.K, setting.L});
  // rms over outputs of (rms of the error / rms of the output)
  iterate.cost = std::sqrt((prediction.noise.array() / setting.scale.array()).square().mean());
  iterate.predictions = std::move(prediction.predictions);
}

Outcome check_mass(const Setting& setting, const VectorXd& theta) {
  const MatrixXd M = matrices(setting.unknowns, theta).M;
  if (theta.allFinite() && M.diagonal().maxCoeff() > 0.0) return {};
  return {Status::NotIdentifiable,
          "the weak equations give no positive mass; check that the forces excite the system, and "
          "the signs and units of forces and responses"};
}

// One window: least squares, then instruments from the simulated model.
class WeakWindow {
 public:
  // With `total` a second start by total least squares.
  WeakWindow(const Setting& setting, double window, bool total)
      : setting_(setting),
        kernels_(
            weak_kernels(window, setting.data.front().step, setting.motion, setting.options.hold)) {
    std::vector<MatrixXd> instruments;
    for (const Experiment& experiment : setting.data) {
      rows_.push_back(weak_rows(kernels_, experiment, setting.L, setting.unknowns));
      instruments.push_back(rows_.back().response);
    }
    weights_ = setting.scale.array().square();
    accept(solved_with(instruments));
    if (total && outcome_.ok()) try_total_least_squares();
  }

  // At most `count` instrument iterations; ends earlier when the unknowns have settled.
  void iterate(int count) {
    for (int k = 0; k < count && outcome_.ok() && !settled_; ++k) {
      std::vector<MatrixXd> instruments;
      for (const MatrixXd& prediction : current_.predictions) {
        instruments.push_back(correlated(kernels_, prediction));
      }
      const VectorXd before = current_.theta;
      Iterate next;
      // Least squares shrinks the rows without a force; only instruments give sizes to weigh by.
      if (iterations_ > 0) {
        weights_ = equation_weights(rows_, matrices(setting_.unknowns, best_.theta));
      }
      const WeakSystem system = weak_system(rows_, instruments, weights_, setting_.unknowns);
      scale_columns(system);
      const Outcome solved = solve_weak_system(system, d_, setting_.unknowns.names, next.theta);
      // Noise makes the moments of least squares regular; those of the instruments tell the truth.
      if (!solved.ok() && iterations_ == 0) outcome_ = solved;
      // A model that no longer drives all unknowns ends the iteration; the best one so far stays.
      if (!solved.ok() || !check_mass(setting_, next.theta).ok()) break;
      current_.theta = next.theta;
      ++iterations_;
      accept({});
      settled_ = (current_.theta - before).cwiseQuotient(d_).norm() <
                 kSameInstruments * before.cwiseQuotient(d_).norm();
    }
  }

  [[nodiscard]] const Outcome& outcome() const { return outcome_; }
  [[nodiscard]] const Iterate& best() const { return best_; }
  [[nodiscard]] int iterations() const { return iterations_; }
  [[nodiscard]] double window() const {
    return 2.0 * static_cast<double>(kernels_.half) * setting_.data.front().step;
  }

 private:
  // Columns of the normal matrix brought to unit diagonal.
  void scale_columns(const WeakSystem& system) {
    const VectorXd diagonal = system.A.diagonal();
    d_ = (diagonal.array() > 0.0).select(diagonal.array().max(1e-300).rsqrt(), 1.0);
  }

  Outcome solved_with(const std::vector<MatrixXd>& instruments) {
    const WeakSystem system = weak_system(rows_, instruments, weights_, setting_.unknowns);
    scale_columns(system);
    return solve_weak_system(system, d_, setting_.unknowns.names, current_.theta);
  }

  // Equations without a force are homogeneous, and noise in their responses shrinks the least
  // squares solution towards zero. With N
  // the part of the squares that noise would cause, truth gives xᵀ (R - κ N) x the mean 0 and
  // anything else more, for x = (θ, 1) and the level κ of the noise: x belongs to the smallest κ of
  // R x = κ N x. Only ratios of the noises are needed.
  void try_total_least_squares() {
    for (int round = 0; round < 2; ++round) {
      const WeakPencil pencil =
          weak_pencil(kernels_, rows_, setting_.noise, weights_, setting_.unknowns);
      if (!solve_weak_pencil(pencil, current_.theta) ||
          !check_mass(setting_, current_.theta).ok()) {
        break;
      }
      accept({});
      weights_ = equation_weights(rows_, matrices(setting_.unknowns, current_.theta));
    }
    current_ = best_;
  }

  // Simulates the current model and keeps it if none was better.
  void accept(const Outcome& outcome) {
    outcome_ = outcome;
    if (outcome_.ok()) outcome_ = check_mass(setting_, current_.theta);
    if (!outcome_.ok()) return;
    simulate_iterate(setting_, current_);
    if (!(best_.cost <= current_.cost)) best_ = current_;
  }

  const Setting& setting_;
  WeakKernels kernels_;
  std::vector<WeakRows> rows_;
  VectorXd d_;        // scale of the unknowns
  VectorXd weights_;  // of the equations
  Iterate current_, best_;
  Outcome outcome_;
  int iterations_ = 0;
  bool settled_ = false;
};

Index longest(const Experiments& data) {
  Index samples = 0;
  for (const Experiment& experiment : data) samples = std::max(samples, experiment.samples());
  return samples;
}

// Geometric grid from 8 samples to a sixth of the longest record.
std::vector<double> window_grid(const Setting& setting) {
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

Setting make_setting(const Parametrisation& unknowns, const Experiments& data,
                     const Eigen::Ref<const MatrixXd>& L, model::Motion motion,
                     const WeakFormOptions& options) {
  const Index n = unknowns.degrees_of_freedom;
  std::vector<model::OutputChoice> choices;
  for (Index i = 0; i < n; ++i) choices.push_back({motion, i});
  const VectorXd scale = rms_of_outputs(data);
  return {affine(unknowns),
          data,
          L,
          motion,
          scale,
          Eigen::FullPivLU<MatrixXd>(L).rank() == n,
          noise_of_outputs(data),
          QuickPrediction(data, model::output_map(n, choices), options.hold, scale.cwiseInverse()),
          options};
}

class WindowChoice {
 public:
  WindowChoice(const Setting& setting, WeakFormEstimate& result)
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

  const Setting& setting_;
  WeakFormEstimate& result_;
  double explained_;
  std::unique_ptr<WeakWindow> best_;
  int worse_ = 0;
};

std::unique_ptr<WeakWindow> best_of_grid(const Setting& setting, WeakFormEstimate& result) {
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
  const Setting setting = make_setting(unknowns, data, L, motion, options);
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
