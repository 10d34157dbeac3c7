#include "alembert/update/update.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/model/flexible/equilibrium.hpp"
#include "update/sequential/convex_steps.hpp"
#include "update/sequential/judge.hpp"
#include "update/sequential/reduced_basis.hpp"

namespace alembert::update {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// One call of update_model(): the model in its basis, and what weighs shapes.
class Updating {
 public:
  Updating(const ParametricModel& model, const MeasuredModes& measured,
           const UpdateOptions& options)
      : model_(model), measured_(measured), options_(options), prior_(prior_box(model)) {
    const double least = 2.0 * std::numbers::pi * measured.frequency_hz.minCoeff();
    shift_ = least * least;
    modes_ = std::min(model.size(), options.modes > 0 ? options.modes : 2 * measured.count() + 8);
  }

  UpdateResult run() {
    const VectorXd start = VectorXd::Zero(model_.count());
    begin();
    result_.nominal_hz = hz_of(nominal_.eigenvalue);
    const Pairing nominal = paired(nominal_, result_.nominal_mac);
    note_unpaired(nominal);
    if (nominal.pairs.empty()) return without_pairs();
    if (is_reduced()) refine_basis(model_.nominal(), nominal.pairs);
    ConvexSteps end = settle(start, nominal.pairs);
    try_other_pairs(start, nominal, end);
    for (; is_reduced() && result_.refreshes < options_.most_refreshes;) {
      if (!refresh(end)) break;
      end = settle(end.theta, pairs_);
    }
    conclude(nominal, end);
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_reduced() const { return model_.size() > options_.reduce_above; }

  void begin() {
    if (is_reduced()) {
      const reduce::StructureModes modes = whole_modes(model_, model_.nominal(), modes_);
      modes_ = modes.count();
      nominal_whole_ = modes.shapes;
      set_basis(reduced_basis(model_, measured_, model_.nominal(), modes, {}, shift_,
                              MatrixXd(model_.size(), 0)));
    } else {
      set_basis({});
    }
    nominal_ = modes_at(model_.nominal());
    if (nominal_.eigenvalue.size() == 0) {
      throw InvalidInput({.function = "update_model",
                          .argument = "model",
                          .rule = "must have K and M that are positive at the nominal parameters"});
    }
  }

  void set_basis(const MatrixXd& V) {
    basis_ = V;
    dense_ = dense_model(model_, measured_, V);
    result_.basis = V.cols();
    if (dense_.C.rows() == 0) return;
    const VectorXd p = model_.nominal();
    const MatrixXd M = dense_.mass(p);
    try {
      expansion_ = static_expansion(dense_.stiffness(p), M, dense_.C, shift_);
      weight_ = expansion_.transpose() * M * expansion_;
    } catch (const InvalidInput&) {
      expansion_.resize(0, 0);
      weight_ = MatrixXd::Identity(dense_.C.rows(), dense_.C.rows());
      if (result_.warnings.empty()) {
        result_.warnings.emplace_back(
            "some sensors measure the same: shapes are compared without weights of mass");
      }
    }
  }

  // Modes and their slopes at p, for modes that are pairs there.
  void refine_basis(const VectorXd& p, const std::vector<Pair>& pairs) {
    const reduce::StructureModes modes = whole_modes(model_, p, modes_);
    std::vector<Index> wanted;
    for (const Pair& pair : pairs) {
      if (pair.model < modes.count()) wanted.push_back(pair.model);
    }
    set_basis(reduced_basis(model_, measured_, p, modes, wanted, shift_, nominal_whole_));
    nominal_ = modes_at(model_.nominal());
  }

  [[nodiscard]] DenseModes modes_at(const VectorXd& p) const {
    return lowest_dense_modes(dense_.stiffness(p), dense_.mass(p), shift_, modes_);
  }

  [[nodiscard]] Pairing paired(const DenseModes& modes, MatrixXd& mac) const {
    mac = MatrixXd::Constant(measured_.count(), modes.eigenvalue.size(), kUnknown);
    if (dense_.C.rows() > 0) {
      mac = weighted_mac(measured_.shapes, dense_.C * modes.shapes, weight_);
    }
    return pair_modes(measured_.frequency_hz, hz_of(modes.eigenvalue), mac, options_.pairing);
  }

  // Shapes to follow; where eigenvalues lie close together the measured shapes say which.
  [[nodiscard]] FollowedModes partners(const DenseModes& modes,
                                       const std::vector<Pair>& pairs) const {
    FollowedModes made{VectorXd(static_cast<Index>(pairs.size())),
                       MatrixXd(modes.shapes.rows(), static_cast<Index>(pairs.size()))};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const double lambda = modes.eigenvalue(pairs[i].model);
      const auto at = static_cast<Index>(i);
      made.eigenvalue(at) = lambda;
      made.shapes.col(at) = modes.shapes.col(pairs[i].model);
      const auto near = (modes.eigenvalue.array() - lambda).abs() <= 1e-6 * std::abs(lambda);
      if (near.count() < 2 || expansion_.size() == 0) continue;
      const VectorXd y = measured_.shapes.col(pairs[i].measured);
      if (y.allFinite()) made.shapes.col(at) = expansion_ * y;
    }
    return made;
  }

  void check_data(const ModalProblem& problem) const {
    std::vector<std::string> free;
    for (Index j = 0; j < model_.count(); ++j) {
      if (prior_.weight(j) == 0.0) {
        free.push_back(model_.parameters[static_cast<std::size_t>(j)].name);
      }
    }
    if (static_cast<Index>(free.size()) <= problem.data()) return;
    throw InvalidInput({.function = "update_model",
                        .argument = "parameters",
                        .rule = fmt::format("without prior must not be more than the {} numbers "
                                            "that pair; give a sigma or take fewer",
                                            problem.data()),
                        .value = std::to_string(free.size())});
  }

  // Down to a minimum, and anew where the modes then pair otherwise.
  ConvexSteps settle(const VectorXd& theta, std::vector<Pair> pairs, int most_pairings = 5) {
    ConvexSteps end;
    VectorXd at = theta;
    for (int round = 0; round < most_pairings; ++round) {
      const ModalProblem problem(dense_, measured_, options_, pairs, shift_, modes_);
      check_data(problem);
      end = go_down(problem, prior_, at, partners(modes_at(prior_.values(at)), pairs),
                    options_.most_iterations);
      result_.iterations += end.iterations;
      pairs_ = pairs;
      const DenseModes modes = modes_at(prior_.values(end.theta));
      const Pairing anew = paired(modes, result_.updated_mac);
      result_.updated_hz = hz_of(modes.eigenvalue);
      for (Pair& pair : pairs_) pair.model = nearest_mode(modes, end, pair);
      if (anew.pairs.empty() || same(anew.pairs, pairs_) || round + 1 == most_pairings) break;
      note_unpaired(anew);
      pairs = anew.pairs;
      at = end.theta;
    }
    return end;
  }

  // Shapes of modes that lie close together mix, so that pairs by shape may be crossed: pairs by
  // frequency are tried too, and kept where they fit the same data better.
  void try_other_pairs(const VectorXd& start, const Pairing& nominal, ConvexSteps& end) {
    const MatrixXd none =
        MatrixXd::Constant(measured_.count(), nominal_.eigenvalue.size(), kUnknown);
    std::vector<Pair> other;
    for (const Pair& one :
         pair_modes(measured_.frequency_hz, hz_of(nominal_.eigenvalue), none, options_.pairing)
             .pairs) {
      const bool wanted =
          std::any_of(nominal.pairs.begin(), nominal.pairs.end(),
                      [&](const Pair& pair) { return pair.measured == one.measured; });
      if (wanted) other.push_back(one);
    }
    if (same(other, nominal.pairs)) return;
    const UpdateResult before = result_;
    const std::vector<Pair> pairs = pairs_;
    ConvexSteps tried = settle(start, other, 1);
    const bool better = tried.ok() && tried.residuals.r.size() >= end.residuals.r.size() &&
                        tried.objective < end.objective;
    if (better) {
      end = std::move(tried);
      return;
    }
    const int iterations = result_.iterations;
    result_ = before;
    result_.iterations = iterations;
    pairs_ = pairs;
  }

  [[nodiscard]] Index nearest_mode(const DenseModes& modes, const ConvexSteps& end,
                                   const Pair& pair) const {
    const auto i = static_cast<Index>(&pair - pairs_.data());
    Index at = 0;
    (modes.eigenvalue.array() - end.residuals.modes.eigenvalue(i)).abs().minCoeff(&at);
    return at;
  }

  static bool same(const std::vector<Pair>& a, const std::vector<Pair>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Pair& x, const Pair& y) {
      return x.measured == y.measured && x.model == y.model;
    });
  }

  // A basis about the new parameters; false if the old one is good enough there.
  bool refresh(const ConvexSteps& end) {
    const VectorXd p = prior_.values(end.theta);
    const reduce::StructureModes whole = whole_modes(model_, p, modes_);
    result_.drift = 0.0;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double here = end.residuals.modes.eigenvalue(static_cast<Index>(i));
      const double gap = ((whole.eigenvalue.array() - here) / here).abs().minCoeff();
      result_.drift = std::max(result_.drift, 0.5 * gap);
    }
    if (result_.drift <= options_.drift) return false;
    ++result_.refreshes;
    refine_basis(p, pairs_);
    return true;
  }

  void note_unpaired(const Pairing& pairing) { result_.unpaired = pairing.words; }

  UpdateResult without_pairs() {
    result_.status = Status::NotIdentifiable;
    result_.message = "no measured mode is one of the model";
    result_.held_out_error = kUnknown;
    result_.verdict = update_verdict(result_, measured_.count());
    return std::move(result_);
  }

  void add_modes(const Pairing& nominal, const ConvexSteps& end) {
    const ModalProblem problem(dense_, measured_, options_, pairs_, shift_, modes_);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const Pair& pair = pairs_[i];
      UpdatedMode mode{.measured = pair.measured,
                       .nominal_mode = -1,
                       .updated_mode = pair.model,
                       .measured_hz = measured_.frequency_hz(pair.measured),
                       .measured_deviation = problem.frequency_sigma(pair.measured),
                       .nominal_hz = kUnknown,
                       .updated_hz = hz_of(end.residuals.modes.eigenvalue(static_cast<Index>(i))),
                       .nominal_mac = kUnknown,
                       .updated_mac = result_.updated_mac(pair.measured, pair.model),
                       .held_out_hz = kUnknown,
                       .held_out_deviation = kUnknown};
      for (const Pair& before : nominal.pairs) {
        if (before.measured != pair.measured) continue;
        mode.nominal_mode = before.model;
        mode.nominal_hz = result_.nominal_hz(before.model);
        mode.nominal_mac = result_.nominal_mac(pair.measured, before.model);
      }
      result_.modes.push_back(mode);
    }
  }

  // Each mode from the others, by convex programs that begin at the end.
  void leave_one_out(const ConvexSteps& end) {
    for (std::size_t i = 0; i < result_.modes.size() && pairs_.size() > 1; ++i) {
      const auto left = static_cast<Index>(i);
      const ModalProblem problem(dense_, measured_, options_, pairs_, shift_, modes_, left);
      const ConvexSteps other =
          go_down(problem, prior_, end.theta, end.residuals.modes, options_.most_iterations);
      if (other.residuals.modes.eigenvalue.size() == 0) continue;
      UpdateResult judged;
      add_posterior(model_, prior_, other, judged);
      const VectorXd slope = other.residuals.hz_slope.row(left).transpose();
      result_.modes[i].held_out_hz = hz_of(other.residuals.modes.eigenvalue(left));
      result_.modes[i].held_out_deviation =
          std::sqrt(std::max(0.0, slope.dot(judged.covariance * slope)));
    }
  }

  [[nodiscard]] double mean_error(double UpdatedMode::*hz) const {
    double sum = 0.0;
    Index count = 0;
    for (const UpdatedMode& mode : result_.modes) {
      if (!std::isfinite(mode.*hz)) continue;
      sum += std::abs(mode.*hz / mode.measured_hz - 1.0);
      ++count;
    }
    return count > 0 ? sum / static_cast<double>(count) : kUnknown;
  }

  void conclude(const Pairing& nominal, const ConvexSteps& end) {
    static_cast<Outcome&>(result_) = end;
    result_.gap = end.gap;
    add_modes(nominal, end);
    add_posterior(model_, prior_, end, result_);
    if (options_.leave_one_out) leave_one_out(end);
    result_.nominal_error = mean_error(&UpdatedMode::nominal_hz);
    result_.updated_error = mean_error(&UpdatedMode::updated_hz);
    result_.held_out_error = mean_error(&UpdatedMode::held_out_hz);
    if (is_reduced() && result_.drift > options_.drift) {
      result_.warnings.push_back(
          fmt::format("the reduced model is off by {:.1e} of a frequency after {} refreshes",
                      result_.drift, result_.refreshes));
    }
    result_.verdict = update_verdict(result_, measured_.count());
  }

  const ParametricModel& model_;
  const MeasuredModes& measured_;
  const UpdateOptions& options_;
  PriorBox prior_;
  double shift_ = 0.0;
  Index modes_ = 0;
  MatrixXd basis_, nominal_whole_, expansion_, weight_;
  DenseModel dense_;
  DenseModes nominal_;
  std::vector<Pair> pairs_;
  UpdateResult result_;
};

}  // namespace

UpdateResult update_model(const ParametricModel& model, const MeasuredModes& measured,
                          const UpdateOptions& options) {
  check_model(model);
  check_measured(measured, model.size());
  check::positive("update_model", "frequency_sigma", options.frequency_sigma);
  check::positive("update_model", "shape_sigma", options.shape_sigma);
  check::at_least("update_model", "most_iterations", options.most_iterations, 1);
  return Updating(model, measured, options).run();
}

UpdateResult update_mechanism(const model::flexible::FlexibleDescription& description,
                              const Eigen::Ref<const VectorXd>& start,
                              const std::vector<MechanismParameter>& parameters,
                              MeasuredModes measured, const std::vector<MechanismSensor>& sensors,
                              const UpdateOptions& options) {
  constexpr int kMostRounds = 8;
  const ParametricModel nominal = mechanism_model(description, start, parameters);
  VectorXd at = nominal.nominal();
  UpdateResult result;
  for (int round = 0; round < kMostRounds; ++round) {
    const auto here = with_values(description, parameters, at);
    ParametricModel model = mechanism_model(here, start, parameters);
    // Slopes and matrices at these parameters, priors where they were.
    model.point = at;
    model.parameters = nominal.parameters;
    const model::flexible::FlexibleMechanism mechanism(here, start);
    const auto rest = model::flexible::find_equilibrium(mechanism, start);
    measured.sensors = mechanism_sensors(mechanism, rest.x, sensors);
    result = update_model(model, measured, options);
    if (result.parameters.empty()) break;
    VectorXd next(at.size());
    double moved = 0.0;
    for (Index j = 0; j < at.size(); ++j) {
      const UpdatedParameter& one = result.parameters[static_cast<std::size_t>(j)];
      next(j) = one.value;
      const double unit = one.deviation > 0.0 ? one.deviation : 1.0;
      moved = std::max(moved, std::abs(next(j) - at(j)) / unit);
    }
    at = next;
    // Without springs and gravity the matrices are linear: the first round is exact.
    const bool linear =
        description.mechanism.passive.empty() && description.mechanism.gravity.isZero();
    if (linear || moved < 1e-3) break;
  }
  return result;
}

}  // namespace alembert::update
