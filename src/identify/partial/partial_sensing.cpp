#include "alembert/identify/partial_sensing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"
#include "alembert/identify/subspace.hpp"
#include "alembert/identify/weak_form.hpp"
#include "identify/partial/acceptance.hpp"
#include "identify/partial/band_filter.hpp"
#include "identify/partial/residue_model/residue_model.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kFirstIterations = 40;     // of a candidate's refinement
constexpr int kMoreIterations = 100;     // for an accepted one that needs more
constexpr Index kMostExtraOrder = 20;    // to find n modes in the band
constexpr double kComplexMargin = 1.02;  // cost of complex modes over that of real ones
constexpr double kSameCost = 1e-3;       // two candidates in the same minimum

// What one candidate varies.
struct Recipe {
  double decimation = 1.0;  // times the band's
  SubspaceWeighting weighting = SubspaceWeighting::Cva;
  Index extra_order = 4;  // over 2n
  double horizon = 1.0;   // times the rule's
};

std::vector<Recipe> recipes() {
  using enum SubspaceWeighting;
  return {{1.0, Cva, 4, 1.0},       {1.0, Moesp, 4, 1.0},       {1.0, Moesp, 0, 1.0},
          {1.5, Cva, 4, 1.0},       {1.0 / 1.5, Moesp, 4, 1.0}, {1.0, Cva, 8, 1.0},
          {1.0, Cva, 4, 0.7},       {1.5, Moesp, 8, 1.0},       {1.0, Cva, 4, 1.25},
          {1.0 / 1.5, Cva, 8, 1.0}, {1.5, Cva, 8, 0.7},         {1.0, Moesp, 8, 1.25}};
}

// The task, checked.
struct Task {
  const Experiments& data;
  MatrixXd L, C;  // C: the map of the one motion that is measured
  model::OutputMap outputs;
  model::Motion motion;
  Band band;
  PartialSensingOptions options;

  [[nodiscard]] Index coordinates() const { return C.cols(); }
  [[nodiscard]] Index samples() const {
    Index sum = 0;
    for (const Experiment& experiment : data) sum += experiment.samples();
    return sum;
  }
};

const MatrixXd& map_of(const model::OutputMap& outputs, model::Motion motion) {
  return motion == model::Motion::Displacement ? outputs.displacement
         : motion == model::Motion::Velocity   ? outputs.velocity
                                               : outputs.acceleration;
}

void check_task(const Experiments& data, const MatrixXd& L, const model::OutputMap& outputs,
                model::Motion motion) {
  const char* name = "identify_partially_sensed";
  check_experiments(name, data);
  model::check_outputs(name, outputs, L.rows());
  check::size(name, "number of outputs", data.front().output.cols(), outputs.outputs());
  check::size(name, "number of inputs", data.front().input.cols(), L.cols());
  const double all =
      outputs.displacement.norm() + outputs.velocity.norm() + outputs.acceleration.norm();
  if (!(map_of(outputs, motion).norm() == all)) {
    throw InvalidInput({.function = "identify_partially_sensed",
                        .argument = "outputs",
                        .rule = "must all be of the one motion that is named",
                        .value = "a mix"});
  }
  const Coverage covered = coverage(L, outputs);
  if (!covered.identifiable) {
    throw InvalidInput({.function = "identify_partially_sensed", .rule = covered.advice});
  }
}

Index decimation_of(const Task& task, const Recipe& recipe) {
  const double wanted = recipe.decimation * static_cast<double>(task.band.decimation);
  return std::max<Index>(1, std::llround(wanted));
}

// Rows of the Hankel matrix about 1.2 times its independent columns.
Index horizon_of(const Task& task, const Recipe& recipe, Index decimation) {
  const double channels = static_cast<double>(task.C.rows() + task.L.cols());
  const double rule = 1.2 * static_cast<double>(task.samples()) /
                      (static_cast<double>(decimation) * (2.0 * channels + 2.4));
  // The Hankel matrix must have more columns than rows.
  const double experiments = static_cast<double>(task.data.size());
  const double r = static_cast<double>(decimation);
  const double most = 0.9 * (static_cast<double>(task.samples()) - 6.0 * r * experiments) /
                      (2.0 * channels + 2.0 * r * experiments);
  return static_cast<Index>(
      std::clamp(recipe.horizon * rule, 6.0, std::max(6.0, std::min(80.0, most))));
}

std::string described(Index decimation, const SubspaceOptions& options) {
  return fmt::format("decimation {}, {}, order {}, horizon {}", decimation,
                     options.weighting == SubspaceWeighting::Cva ? "CVA" : "MOESP", options.order,
                     options.horizon);
}

// In-band poles; the order grows by 2 until there are n of them.
Outcome find_poles(const Task& task, const Experiments& smooth, SubspaceOptions& options,
                   BandPoles& found) {
  const Index n = task.coordinates();
  const Index last = options.order + kMostExtraOrder;
  for (; options.order <= last; options.order += 2) {
    if (options.order > (options.horizon - 1) * task.C.rows()) break;
    const SubspaceModel model = subspace(smooth, options);
    if (model.model.F.size() == 0) {
      if (!model.ok()) return {model.status, model.message};
      break;
    }
    found = band_poles(model.model, task.band.highest);
    if (found.poles.size() >= n) return {};
  }
  return {Status::NotIdentifiable,
          fmt::format("only {} of {} modes found below {:.4g} rad/s, where the responses stand "
                      "above the noise; excite the others, or record longer",
                      found.poles.size(), n, task.band.highest)};
}

// Σ over outputs of the mean square error by the mean square of the output.
double simulated_cost(const Task& task, const Matrices& matrices) {
  if (!matrices.M.allFinite() || !matrices.D.allFinite() || !matrices.K.allFinite()) {
    return std::numeric_limits<double>::infinity();
  }
  RefineOptions options = task.options.refine;
  options.hold = task.options.hold;
  const Prediction prediction =
      predict({matrices.M, matrices.D, matrices.K, task.L}, task.outputs, task.data, options);
  double cost = 0.0;
  for (Index i = 0; i < prediction.noise.size(); ++i) {
    double sum = 0.0;
    double count = 0.0;
    for (const Experiment& experiment : task.data) {
      for (const double y : experiment.output.col(i)) {
        if (std::isnan(y)) continue;
        sum += y * y;
        count += 1.0;
      }
    }
    cost += prediction.noise(i) * prediction.noise(i) * count / sum;
  }
  return std::isfinite(cost) ? cost : std::numeric_limits<double>::infinity();
}

// Steps 0 to 5: M, D, K to start the refinement from.
Outcome start_matrices(const Task& task, const Recipe& recipe, std::string& description,
                       Matrices& start) {
  const Index n = task.coordinates();
  const Index decimation = decimation_of(task, recipe);
  SubspaceOptions options;
  options.weighting = recipe.weighting;
  options.order = 2 * n + recipe.extra_order;
  options.horizon = horizon_of(task, recipe, decimation);
  options.stride = decimation;
  options.innovation = false;
  description = described(decimation, options);
  const Experiments smooth = band_filtered(task.data, decimation, task.motion, task.options.hold);
  BandPoles found;
  const Outcome outcome = find_poles(task, smooth, options, found);
  description = described(decimation, options);
  if (!outcome.ok()) return outcome;
  const ResidueData data = residue_data(every_nth(smooth, decimation), task.C, task.L);
  const ResidueModel first = residue_start(data, found);
  const Matrices complex = residue_matrices(fit_residues(data, first).model);
  const Matrices real = real_residue_matrices(fit_real_residues(data, first).model);
  double best = std::numeric_limits<double>::infinity();
  const auto consider = [&](const Matrices& raw, double margin) {
    if (!raw.M.allFinite() || !raw.D.allFinite() || !raw.K.allFinite()) return;
    const Matrices trial = clipped(raw);
    const double cost = simulated_cost(task, trial);
    if (cost * margin < best) {
      best = cost;
      start = trial;
    }
  };
  consider(complex, 1.0);
  consider(real, kComplexMargin);
  if (std::isfinite(best)) return {};
  return {Status::NotFinite, "the modal fit gave no finite matrices"};
}

// Geometric mean of the noise variances: comparable between candidates, whatever the weights.
double cost_of(const Refinement& refinement) {
  return std::exp(2.0 * refinement.noise.array().max(1e-300).log().mean());
}

RefineOptions refine_options(const Task& task, int iterations) {
  RefineOptions options = task.options.refine;
  options.hold = task.options.hold;
  options.max_iterations = iterations;
  options.compute_residuals = true;
  return options;
}

// Relative standard deviation of a symmetric matrix in the Frobenius norm, from the variances of
// its half vector.
double relative_deviation(const MatrixXd& matrix, const VectorXd& variances) {
  const VectorXd weight = half_vector(MatrixXd::Constant(matrix.rows(), matrix.cols(), 2.0) -
                                      MatrixXd::Identity(matrix.rows(), matrix.cols()));
  return std::sqrt(weight.dot(variances)) / matrix.norm();
}

// One candidate from start to test.
class CandidateTrial {
 public:
  CandidateTrial(const Task& task, const Recipe& recipe) : task_(task) {
    static_cast<Outcome&>(candidate.outcome) =
        start_matrices(task, recipe, candidate.description, start);
    candidate.cost = std::numeric_limits<double>::infinity();
    if (!candidate.outcome.ok()) return;
    refine_from(start, kFirstIterations);
    if (candidate.accepted && refinement.status == Status::NotConverged) {
      refine_from(matrices_of(refinement.system), kMoreIterations);
    }
  }

  [[nodiscard]] bool refined() const { return std::isfinite(candidate.cost); }

  Candidate candidate;
  Refinement refinement;
  Matrices start;

 private:
  void refine_from(const Matrices& from, int iterations) {
    const Index n = task_.coordinates();
    const LinearProblem problem{task_.L, task_.outputs, free_matrices(n)};
    refinement = refine(problem, task_.data, from, refine_options(task_, iterations));
    candidate.outcome = {refinement.status, refinement.message};
    if (!refinement.noise.allFinite() || refinement.noise.size() == 0) return;
    candidate.cost = cost_of(refinement);
    const Index experiments = static_cast<Index>(task_.data.size());
    const BandTest test = band_test(refinement.residuals, task_.data.front().step,
                                    task_.band.highest, 3 * n * (n + 1) / 2 + 2 * n * experiments);
    candidate.band_ratio = test.ratio;
    candidate.band_limit = test.possible ? test.limit : kNaN;
    candidate.accepted = test.possible && test.ratio < test.limit;
  }

  const Task& task_;
};

// Two candidates in one minimum count where there is no band of noise alone to compare with, or
// where the ratio is within twice its margin: wrong minima were seen at ratios of 3 and more.
bool confirmed(const std::vector<Candidate>& earlier, const Candidate& now) {
  const bool near_limit = now.band_ratio - 1.0 < 2.0 * (now.band_limit - 1.0);
  return (std::isnan(now.band_limit) || near_limit) &&
         std::any_of(earlier.begin(), earlier.end(), [&](const Candidate& other) {
           return std::abs(other.cost / now.cost - 1.0) < kSameCost;
         });
}

void judge(PartialSensing& result) {
  const Refinement& refinement = result.refinement;
  const Index half = half_vector(refinement.system.M).size();
  const VectorXd variances = refinement.matrix_covariance.diagonal();
  const bool known = variances.size() == 3 * half;
  const double M = known ? relative_deviation(refinement.system.M, variances.head(half)) : 0.0;
  const double D =
      known ? relative_deviation(refinement.system.D, variances.segment(half, half)) : 0.0;
  const double K = known ? relative_deviation(refinement.system.K, variances.tail(half)) : 0.0;
  const std::string bound =
      fmt::format("relative standard deviation of M {:.0f} %, D {:.0f} %, K {:.0f} %", 100 * M,
                  100 * D, 100 * K);
  if (!(M <= 1.0) || !known) {
    result.status = Status::NotIdentifiable;
    result.message = fmt::format(
        "the data do not determine M, D and K: {}; add sensors or forces, or record longer",
        known ? bound : "the normal matrix is singular");
  } else if (!result.candidates.back().accepted) {
    const Candidate& best =
        *std::min_element(result.candidates.begin(), result.candidates.end(),
                          [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
    result.status = Status::NotIdentifiable;
    result.message = fmt::format(
        "none of {} starts explains the responses down to the noise (band ratio of the best "
        "{:.2f}, "
        "limit {:.2f}; {}); check the number of coordinates, the noise and the force distribution",
        result.candidates.size(), best.band_ratio, best.band_limit, bound);
  } else {
    static_cast<Outcome&>(result) = {refinement.status, refinement.message};
  }
}

}  // namespace

PartialSensing identify_partially_sensed(const Experiments& data,
                                         const Eigen::Ref<const MatrixXd>& L,
                                         const model::OutputMap& outputs, model::Motion motion,
                                         const PartialSensingOptions& options) {
  check_task(data, L, outputs, motion);
  (void)integrate::hold_coefficients(options.hold);
  check::at_least("identify_partially_sensed", "max_candidates", options.max_candidates, 1);
  const Task task{data, L, map_of(outputs, motion), outputs, motion, band_of(data), options};
  PartialSensing result;
  result.band = task.band;
  double best = std::numeric_limits<double>::infinity();
  bool accepted = false;
  for (const Recipe& recipe : recipes()) {
    if (accepted || static_cast<int>(result.candidates.size()) >= options.max_candidates) break;
    CandidateTrial trial(task, recipe);
    trial.candidate.accepted =
        trial.candidate.accepted || confirmed(result.candidates, trial.candidate);
    accepted = trial.candidate.accepted;
    result.candidates.push_back(trial.candidate);
    if (trial.refined() && (accepted || trial.candidate.cost < best)) {
      best = trial.candidate.cost;
      result.refinement = std::move(trial.refinement);
      result.start = std::move(trial.start);
    }
  }
  if (result.refinement.noise.size() == 0) {
    result.status = Status::NotIdentifiable;
    result.message = "no start could be formed: " + result.candidates.front().outcome.message;
    return result;
  }
  judge(result);
  for (Candidate& candidate : result.candidates) candidate.cost /= best;
  return result;
}

}  // namespace alembert::identify
