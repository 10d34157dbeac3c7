#include "alembert/signal/local_frf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/signal/fft.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::signal {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;

constexpr const char* kLocal = "estimate_local_frf";
constexpr int kSpareRows = 6;
constexpr double kUnknownNumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kAnyPhase = std::numbers::pi * std::numbers::inv_sqrt3;

// Transforms of all lines, one column per channel.
struct RecordLines {
  MatrixXcd inputs, outputs;
};

MatrixXcd transformed(const Eigen::MatrixXd& samples) {
  MatrixXcd lines(samples.rows() / 2 + 1, samples.cols());
  for (Index c = 0; c < samples.cols(); ++c) lines.col(c) = rfft(samples.col(c));
  return lines;
}

void check_local(const std::vector<InputOutput>& experiments, double step,
                 const LocalFrfOptions& options) {
  check::positive(kLocal, "step", step);
  check::at_least(kLocal, "number of experiments", static_cast<long long>(experiments.size()), 1);
  check::in_range(kLocal, "degree", options.degree, 1, 6);
  check::at_least(kLocal, "half_width", options.half_width, 0);
  const InputOutput& first = experiments.front();
  for (const InputOutput& one : experiments) {
    check::size(kLocal, "samples of each experiment", one.outputs.rows(), first.outputs.rows());
    check::size(kLocal, "samples of inputs", one.inputs.rows(), one.outputs.rows());
    check::size(kLocal, "number of inputs", one.inputs.cols(), first.inputs.cols());
    check::size(kLocal, "number of outputs", one.outputs.cols(), first.outputs.cols());
    if (one.inputs.allFinite() && one.outputs.allFinite()) continue;
    throw InvalidInput({.function = kLocal,
                        .argument = "experiments",
                        .rule = "must have no missing and no infinite sample"});
  }
}

class LocalEstimator {
 public:
  LocalEstimator(const std::vector<InputOutput>& experiments, const LocalFrfOptions& options)
      : degree_(options.degree) {
    for (const InputOutput& one : experiments) {
      records_.push_back({transformed(one.inputs), transformed(one.outputs)});
    }
    inputs_ = records_.front().inputs.cols();
    outputs_ = records_.front().outputs.cols();
    half_ = options.half_width > 0
                ? options.half_width
                : local_half_width(inputs_, static_cast<Index>(records_.size()), options.degree);
    scale_inputs();
    lines_ = records_.front().inputs.rows();
    const auto tracks = static_cast<Index>(records_.size());
    const Index rows = tracks * (2 * half_ + 1);
    unknowns_ = (degree_ + 1) * (inputs_ + tracks);
    check::at_least(kLocal, "rows of a window", static_cast<long long>(rows),
                    static_cast<long long>(unknowns_) + 1);
    check::at_least(kLocal, "lines of the records", static_cast<long long>(lines_),
                    static_cast<long long>(2 * half_ + 3));
  }

  // Fills in the line at place `at` of the result; returns whether its inputs are regular.
  bool operator()(Index line, std::size_t at, FrfResult& result) const {
    const MatrixXcd regressors = window_of(line, true);
    const MatrixXcd responses = window_of(line, false);
    Eigen::ColPivHouseholderQR<MatrixXcd> parts(regressors);
    parts.setThreshold(1e-10);
    if (parts.rank() < unknowns_) return false;
    const MatrixXcd solution = parts.solve(responses);
    const MatrixXcd residual = responses - regressors * solution;
    const auto spare = static_cast<double>(regressors.rows() - unknowns_);
    const Eigen::VectorXd noise = residual.colwise().squaredNorm().transpose() / spare;
    // (Rᵢ Rᵢᴴ)_jj, the diagonal of the inverse of the normal matrix, for G.
    const MatrixXcd normal = regressors.adjoint() * regressors;
    const Eigen::VectorXd spread = normal.inverse().diagonal().real().head(inputs_);
    const auto unscaled = scales_.cwiseInverse().asDiagonal();
    result.response[at] = solution.topRows(inputs_).transpose() * unscaled;
    result.magnitude_deviation[at] = (0.5 * noise * spread.transpose()).cwiseSqrt() * unscaled;
    result.phase_deviation[at] =
        result.magnitude_deviation[at]
            .cwiseQuotient(result.response[at].cwiseAbs())
            .unaryExpr([](double ratio) { return std::clamp(ratio, 0.0, kAnyPhase); });
    return true;
  }

  [[nodiscard]] Index inputs() const { return inputs_; }
  [[nodiscard]] Index outputs() const { return outputs_; }

 private:
  // Inputs of unit rms over all lines, so that units change no decision on rank.
  void scale_inputs() {
    scales_ = Eigen::VectorXd::Zero(inputs_);
    for (const RecordLines& one : records_) {
      scales_ += one.inputs.cwiseAbs2().colwise().mean().transpose();
    }
    scales_ = (scales_ / static_cast<double>(records_.size())).cwiseSqrt();
    for (double& scale : scales_) scale = scale > 0.0 ? scale : 1.0;
    for (RecordLines& one : records_) {
      one.inputs = (one.inputs * scales_.cwiseInverse().asDiagonal()).eval();
    }
  }

  // Rows of all experiments in the window about a line. Regressors: U, U r, .., U r^R with one
  // column per input, then 1, r, .., r^R of each experiment; r in units of w, in which the powers
  // have one size. Line 0 has no place in it: its mean is no response.
  [[nodiscard]] MatrixXcd window_of(Index line, bool regressors) const {
    const Index width = 2 * half_ + 1;
    const Index first = std::clamp<Index>(line - half_, 1, lines_ - 1 - width);
    const auto tracks = static_cast<Index>(records_.size());
    MatrixXcd rows = MatrixXcd::Zero(tracks * width, regressors ? unknowns_ : outputs_);
    for (Index e = 0; e < tracks; ++e) {
      const RecordLines& record = records_[static_cast<std::size_t>(e)];
      for (Index i = 0; i < width; ++i) {
        const Index k = first + i;
        if (!regressors) {
          rows.row(e * width + i) = record.outputs.row(k);
          continue;
        }
        double power = 1.0;
        const double r = static_cast<double>(k - line) / static_cast<double>(half_);
        for (Index s = 0; s <= degree_; ++s, power *= r) {
          rows.block(e * width + i, s * inputs_, 1, inputs_) = power * record.inputs.row(k);
          rows(e * width + i, (degree_ + 1) * inputs_ + e * (degree_ + 1) + s) = power;
        }
      }
    }
    return rows;
  }

  std::vector<RecordLines> records_;
  Index degree_;
  Index half_ = 0;
  Index inputs_ = 0, outputs_ = 0, lines_ = 0, unknowns_ = 0;
  Eigen::VectorXd scales_;
};

void say_singular(FrfResult& result) {
  if (result.singular_lines.empty()) return;
  result.warning = fmt::format(
      "the inputs do not determine the responses at {} of {} lines, the first at {:.6g} Hz: they "
      "follow from each other there or are not excited; use inputs that differ, or more "
      "experiments",
      result.singular_lines.size(), result.frequencies_hz.size(),
      result.frequencies_hz(result.singular_lines.front()));
  if (result.singular_lines.size() < result.response.size()) return;
  result.status = Status::Indefinite;
  result.message = result.warning;
}

}  // namespace

int local_half_width(Index inputs, Index experiments, int degree) {
  check::at_least("local_half_width", "inputs", static_cast<long long>(inputs), 1);
  check::at_least("local_half_width", "experiments", static_cast<long long>(experiments), 1);
  const auto unknowns = static_cast<double>((degree + 1) * (inputs + experiments) + kSpareRows);
  return static_cast<int>(std::ceil(0.5 * (unknowns / static_cast<double>(experiments) - 1.0)));
}

FrfResult estimate_local_frf(const std::vector<InputOutput>& experiments, double step,
                             const LocalFrfOptions& options) {
  check_local(experiments, step, options);
  const LocalEstimator estimate(experiments, options);
  const Eigen::VectorXd all = rfft_frequencies(experiments.front().outputs.rows(), step);
  std::vector<Index> kept;
  // The last line of an even record is real, as line 0: neither has a smooth neighbourhood.
  for (Index k = 1; k + 1 < all.size(); ++k) {
    if (all(k) >= options.from_hz && all(k) <= options.to_hz) kept.push_back(k);
  }
  check::at_least(kLocal, "lines between from_hz and to_hz", static_cast<long long>(kept.size()),
                  1);
  FrfResult result;
  result.frequencies_hz = all(kept);
  const std::size_t count = kept.size();
  const Index q = estimate.outputs();
  const Index p = estimate.inputs();
  const Complex unknown(kUnknownNumber, kUnknownNumber);
  result.response.assign(count, MatrixXcd::Constant(q, p, unknown));
  result.ordinary_coherence.assign(count, Eigen::MatrixXd::Constant(q, p, kUnknownNumber));
  result.magnitude_deviation = result.phase_deviation = result.ordinary_coherence;
  result.multiple_coherence =
      Eigen::MatrixXd::Constant(static_cast<Index>(count), q, kUnknownNumber);
  result.input_condition = Eigen::VectorXd::Constant(static_cast<Index>(count), kUnknownNumber);
  for (std::size_t at = 0; at < count; ++at) {
    if (!estimate(kept[at], at, result)) {
      result.singular_lines.push_back(static_cast<Index>(at));
    }
  }
  result.averaging.resolution_hz =
      1.0 / (static_cast<double>(experiments.front().outputs.rows()) * step);
  say_singular(result);
  return result;
}

}  // namespace alembert::signal
