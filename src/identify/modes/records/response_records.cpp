#include "identify/modes/records/response_records.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/signal/resample.hpp"

namespace alembert::identify::modes {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kUsedBand = 0.8;  // of half the sampling rate

}  // namespace

void check_responses(const char* function, const std::vector<MatrixXd>& records) {
  check::at_least(function, "number of records", static_cast<long long>(records.size()), 1);
  for (const MatrixXd& record : records) {
    check::at_least(function, "columns of a record", record.cols(), 1);
    check::at_least(function, "rows of a record", record.rows(), 2);
    check::size(function, "columns of a record", record.cols(), records.front().cols());
    check::all_finite(function, "record", record);
  }
}

ResponseRecords decimated_responses(const std::vector<MatrixXd>& records, double step,
                                    std::optional<double> to_hz) {
  ResponseRecords all{.records = records, .step = step, .decimation = 1};
  if (!to_hz) return all;
  const double factor = std::floor(kUsedBand * 0.5 / (step * *to_hz));
  if (!(factor >= 2.0)) return all;
  all.decimation = static_cast<Index>(factor);
  all.step = factor * step;
  for (MatrixXd& record : all.records) {
    record = signal::resample_band_limited(record, step, all.step);
  }
  return all;
}

VectorXd standardise(const char* function, std::vector<MatrixXd>& records) {
  VectorXd squares = VectorXd::Zero(records.front().cols());
  double samples = 0.0;
  for (MatrixXd& record : records) {
    record.rowwise() -= record.colwise().mean().eval();
    squares += record.colwise().squaredNorm().transpose();
    samples += static_cast<double>(record.rows());
  }
  const VectorXd rms = (squares / samples).cwiseSqrt();
  for (Index o = 0; o < rms.size(); ++o) {
    if (rms(o) > 0.0) continue;
    throw InvalidInput({.function = function,
                        .argument = fmt::format("response {}", o + 1),
                        .rule = "must not be constant"});
  }
  for (MatrixXd& record : records) record *= rms.cwiseInverse().asDiagonal();
  return rms;
}

}  // namespace alembert::identify::modes
