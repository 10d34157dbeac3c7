#include "update/sequential/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/text.hpp"
#include "alembert/optimize/estimate.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::update {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kAlike = 0.98;      // cosine from which two effects are one
constexpr double kMostly = 0.9;      // share of the prior from which the data say little
constexpr double kLittleData = 0.5;  // information below that of the prior

// The inverse with directions without information left out; these make the parameters in them
// unknown.
MatrixXd inverse_of(const MatrixXd& H) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> parts(H);
  const VectorXd& values = parts.eigenvalues();
  const double least = 1e-11 * values(values.size() - 1);
  const VectorXd inverse =
      (values.array() > least).select(values.array().max(least).inverse(), 1.0 / least);
  return parts.eigenvectors() * inverse.asDiagonal() * parts.eigenvectors().transpose();
}

void add_indistinct(const MatrixXd& J, UpdateResult& result) {
  for (Index a = 0; a < J.cols(); ++a) {
    for (Index b = a + 1; b < J.cols(); ++b) {
      const double size = J.col(a).norm() * J.col(b).norm();
      if (!(size > 0.0)) continue;
      const double cosine = J.col(a).dot(J.col(b)) / size;
      if (std::abs(cosine) < kAlike) continue;
      result.indistinct.push_back({result.parameters[static_cast<std::size_t>(a)].name,
                                   result.parameters[static_cast<std::size_t>(b)].name, cosine});
    }
  }
}

void add_prior_directions(const MatrixXd& information, const PriorBox& prior,
                          UpdateResult& result) {
  constexpr Index kMostWords = 5;
  std::vector<std::string> names;
  for (const UpdatedParameter& one : result.parameters) names.push_back(one.name);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> parts(information);
  for (Index i = 0; i < parts.eigenvalues().size(); ++i) {
    if (parts.eigenvalues()(i) > kLittleData || i >= kMostWords) break;
    VectorXd change = parts.eigenvectors().col(i);
    // Small parts say nothing.
    const double largest = change.cwiseAbs().maxCoeff();
    change = (change.array().abs() < 0.2 * largest).select(0.0, change.array());
    const VectorXd ones = VectorXd::Ones(change.size());
    result.prior_directions.push_back(optimize::direction_in_words(names, ones, change));
  }
  (void)prior;
}

std::vector<std::string> names_where(const UpdateResult& result,
                                     bool (*wanted)(const UpdatedParameter&)) {
  std::vector<std::string> names;
  for (const UpdatedParameter& one : result.parameters) {
    if (wanted(one)) names.push_back(one.name);
  }
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 6;
  if (names.size() <= kMost) return join(names, ", ");
  const std::vector<std::string> first(names.begin(), names.begin() + kMost);
  return fmt::format("{} and {} more", join(first, ", "), names.size() - kMost);
}

void judge_pairing(const UpdateResult& result, Index measured, Evidence& evidence) {
  if (result.unpaired.empty()) return;
  const bool most = 2 * result.unpaired.size() >= static_cast<std::size_t>(measured);
  evidence.add(most ? TrustLevel::Bad : TrustLevel::Caution,
               fmt::format("{} of {} measured modes have no partner: {}", result.unpaired.size(),
                           measured, join(result.unpaired, "; ")),
               "see whether sensors, directions and signs of the measured shapes are those of the "
               "model, or lower `least-mac`");
}

void judge_parameters(const UpdateResult& result, Evidence& evidence) {
  const auto bounds = names_where(result, [](const UpdatedParameter& p) { return p.at_bound; });
  if (!bounds.empty()) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("{} ended at a bound: {}",
                             bounds.size() == 1 ? "A parameter" : "Parameters", listed(bounds)),
                 "give wider bounds if they are possible, else seek what the model lacks");
  }
  const auto far = names_where(result, [](const UpdatedParameter& p) {
    return std::isfinite(p.prior_sigma) && std::abs(p.value - p.nominal) > 3.0 * p.prior_sigma;
  });
  if (!far.empty()) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("more than three sigma of the prior away from the nominal value: {}",
                             listed(far)),
                 "see whether the prior is right, or whether the parameter makes up for an error "
                 "of the model");
  }
  const auto prior =
      names_where(result, [](const UpdatedParameter& p) { return p.prior_share > kMostly; });
  if (!prior.empty()) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("the data say little about {}: more than {:.0f} % of the estimate is "
                             "the prior",
                             listed(prior), 100.0 * kMostly),
                 "leave these parameters at their nominal values, or measure more modes");
  }
  for (const IndistinctParameters& one : result.indistinct) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("{} and {} cannot be told apart: the cosine between their effects is "
                             "{:.3f}",
                             one.first, one.second, one.cosine),
                 "fix one of them, or read only what both do together");
    if (&one - result.indistinct.data() >= 3) break;
  }
}

void judge_fit(const UpdateResult& result, Evidence& evidence) {
  if (result.updated_error > result.nominal_error) {
    evidence.add(TrustLevel::Bad,
                 fmt::format("frequencies are not nearer than before: mean error {:.2f} % after, "
                             "{:.2f} % before",
                             100.0 * result.updated_error, 100.0 * result.nominal_error),
                 "see whether the modes are paired rightly");
  }
  if (result.noise_scale > 2.0) {
    evidence.add(result.noise_scale > 10.0 ? TrustLevel::Bad : TrustLevel::Caution,
                 fmt::format("the updated model misses the data by {:.1f} times the noise that was "
                             "given",
                             result.noise_scale),
                 "the model lacks something that these parameters cannot make up for, or the "
                 "sigmas are too small");
  }
  if (result.held_out_error > result.nominal_error && result.modes.size() > 2) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("a mode that is left out is predicted no better than by the nominal "
                             "model: mean error {:.2f} %, before {:.2f} %",
                             100.0 * result.held_out_error, 100.0 * result.nominal_error),
                 "too many parameters for these modes: fix some, or narrow their priors");
  }
  for (const UpdatedMode& mode : result.modes) {
    if (mode.updated_mac < 0.8) {
      evidence.add(TrustLevel::Caution,
                   fmt::format("the shape of measured mode {} ({:.4g} Hz) has a MAC of {:.2f} with "
                               "the updated model",
                               mode.measured + 1, mode.measured_hz, mode.updated_mac),
                   "see the shape: a sensor may have another direction or sign");
    }
  }
}

}  // namespace

void add_posterior(const ParametricModel& model, const PriorBox& prior, const ConvexSteps& end,
                   UpdateResult& result) {
  const Index count = model.count();
  const MatrixXd J = end.residuals.J * prior.scale.asDiagonal();
  const MatrixXd information = J.transpose() * J;
  MatrixXd H = information;
  H.diagonal() += prior.weight;
  const MatrixXd P = inverse_of(H);
  // What the data determine: the trace of the resolution P JᵀJ.
  const double determined = (P * information).trace();
  result.data = end.residuals.r.size();
  result.misfit = end.residuals.r.squaredNorm();
  result.freedom = std::max(1.0, static_cast<double>(result.data) - determined);
  result.noise_scale = std::max(1.0, std::sqrt(result.misfit / result.freedom));
  const double scale2 = result.noise_scale * result.noise_scale;
  // With noise larger than given the data weigh less against the priors.
  MatrixXd weighed = information / scale2;
  weighed.diagonal() += prior.weight;
  const MatrixXd posterior = inverse_of(weighed);
  result.covariance = prior.scale.asDiagonal() * posterior * prior.scale.asDiagonal();
  const VectorXd values = prior.values(end.theta);
  for (Index j = 0; j < count; ++j) {
    const ModelParameter& one = model.parameters[static_cast<std::size_t>(j)];
    const double reach = 1e-6 * prior.scale(j);
    result.parameters.push_back(
        {.name = one.name,
         .unit = one.unit,
         .nominal = one.nominal,
         .value = values(j),
         .deviation = std::sqrt(std::max(0.0, result.covariance(j, j))),
         .prior_sigma = one.sigma,
         .prior_share = std::clamp(posterior(j, j) * prior.weight(j), 0.0, 1.0),
         .lower = one.lower,
         .upper = one.upper,
         .at_bound = values(j) - one.lower <= reach || one.upper - values(j) <= reach});
  }
  for (std::size_t i = 0; i < result.modes.size(); ++i) {
    const VectorXd slope = end.residuals.hz_slope.row(static_cast<Index>(i)).transpose();
    result.modes[i].updated_deviation =
        std::sqrt(std::max(0.0, slope.dot(result.covariance * slope)));
  }
  add_indistinct(J, result);
  add_prior_directions(information / scale2, prior, result);
}

Verdict update_verdict(const UpdateResult& result, Index measured) {
  Evidence evidence;
  evidence.add(result);
  judge_pairing(result, measured, evidence);
  if (result.parameters.size() > static_cast<std::size_t>(result.data)) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("{} parameters from {} data: the priors decide the rest",
                             result.parameters.size(), result.data),
                 "read the frequencies, not the parameters, or take fewer parameters");
  }
  judge_fit(result, evidence);
  judge_parameters(result, evidence);
  return evidence.verdict();
}

}  // namespace alembert::update
