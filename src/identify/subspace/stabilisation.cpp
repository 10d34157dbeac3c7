#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/identify/subspace.hpp"
#include "alembert/model/modes.hpp"
#include "core/algebra/decompositions.hpp"
#include "identify/subspace/steps.hpp"

namespace alembert::identify {

using Eigen::Index;

namespace {

using realisation::PreparedData;
using realisation::Projection;
using realisation::ShiftModel;

constexpr double kFrequencyTolerance = 0.01;
constexpr double kDampingTolerance = 0.05;
constexpr double kShapeAgreement = 0.98;

struct Pole {
  StabilisationRow row;
  Eigen::VectorXcd shape;
};

// Oscillating poles of one order: λ = log(z)/h, frequency |λ|/2π, damping -Re λ/|λ|.
std::vector<Pole> poles_of(const ShiftModel& shift, const Eigen::VectorXd& output_scale,
                           double step) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(shift.F);
  std::vector<Pole> poles;
  for (Index i = 0; i < shift.F.rows(); ++i) {
    const std::complex<double> z = solver.eigenvalues()(i);
    if (!(z.imag() > 0.0)) continue;
    const std::complex<double> lambda = std::log(z) / step;
    Pole pole;
    pole.row.order = shift.F.rows();
    pole.row.frequency_hz = std::abs(lambda) / (2.0 * std::numbers::pi);
    pole.row.damping = -lambda.real() / std::abs(lambda);
    pole.shape = output_scale.asDiagonal() * (shift.H * solver.eigenvectors().col(i));
    poles.push_back(std::move(pole));
  }
  return poles;
}

// Compares a pole with the nearest in frequency of the next lower order.
void mark_stable(Pole& pole, const std::vector<Pole>& lower) {
  const Pole* nearest = nullptr;
  for (const Pole& other : lower) {
    if (nearest == nullptr || std::abs(other.row.frequency_hz - pole.row.frequency_hz) <
                                  std::abs(nearest->row.frequency_hz - pole.row.frequency_hz)) {
      nearest = &other;
    }
  }
  if (nearest == nullptr) return;
  StabilisationRow& row = pole.row;
  const StabilisationRow& before = nearest->row;
  row.stable_frequency =
      std::abs(row.frequency_hz - before.frequency_hz) <= kFrequencyTolerance * before.frequency_hz;
  row.stable_damping = row.stable_frequency && std::abs(row.damping - before.damping) <=
                                                   kDampingTolerance * std::abs(before.damping);
  row.stable_shape = row.stable_damping && model::mac(pole.shape, nearest->shape) > kShapeAgreement;
}

}  // namespace

std::vector<StabilisationRow> stabilisation(const Experiments& data, Index highest,
                                            const SubspaceOptions& options) {
  check::at_least("stabilisation", "highest", highest, 2);
  const PreparedData prepared = realisation::prepare("stabilisation", data, options, highest);
  const Projection projection = realisation::project(prepared.compression, options.weighting);
  const double step = data.front().step * static_cast<double>(options.stride);
  std::vector<StabilisationRow> rows;
  std::vector<Pole> lower;
  for (Index order = 2; order <= highest; order += 2) {
    std::vector<Pole> poles =
        poles_of(realisation::shift_model(projection, prepared.compression.outputs, order),
                 prepared.scales.output, step);
    std::sort(poles.begin(), poles.end(),
              [](const Pole& a, const Pole& b) { return a.row.frequency_hz < b.row.frequency_hz; });
    for (Pole& pole : poles) {
      mark_stable(pole, lower);
      rows.push_back(pole.row);
    }
    lower = std::move(poles);
  }
  return rows;
}

}  // namespace alembert::identify
