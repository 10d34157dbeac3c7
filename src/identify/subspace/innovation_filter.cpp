#include "identify/subspace/innovation_filter.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace alembert::identify::realisation {

using Eigen::Index;

namespace {

constexpr Index kMostPieces = 1000;
constexpr Index kShortestPiece = 20;
// Independent recursions side by side: one alone would wait for its own result at every sample.
constexpr std::size_t kLanes = 4;
constexpr double kDecayed = 1e-100;

struct Lane {
  const double* input;
  double* real;
  double* imaginary;
};

// z(k+1) = λ z(k) + u(k) for several inputs; the states before each step are stored.
void run(std::complex<double> pole, Index samples, const std::array<Lane, kLanes>& lanes,
         std::array<double, kLanes>& re, std::array<double, kLanes>& im) {
  const double a = pole.real();
  const double b = pole.imag();
  for (Index k = 0; k < samples; ++k) {
    for (std::size_t j = 0; j < kLanes; ++j) {
      lanes[j].real[k] = re[j];
      lanes[j].imaginary[k] = im[j];
      const double next = a * re[j] - b * im[j] + lanes[j].input[k];
      im[j] = b * re[j] + a * im[j];
      re[j] = next;
    }
  }
}

}  // namespace

std::vector<Piece> pieces(const std::vector<Sequence>& data, double spectral_radius) {
  std::vector<Piece> result;
  // The rounding of a pole on the unit circle must not cut the record.
  const bool grows = spectral_radius > 1.0 + 1e-12;
  const double longest = grows ? std::log(1e3) / std::log(spectral_radius) : 0.0;
  for (std::size_t s = 0; s < data.size(); ++s) {
    const Index whole = data[s].length;
    const Index length = grows && longest < static_cast<double>(whole)
                             ? std::max(kShortestPiece, static_cast<Index>(longest))
                             : whole;
    const Index count = std::max<Index>(1, whole / length);
    const Index every = (count + kMostPieces - 1) / kMostPieces;
    for (Index i = 0; i < count; i += every) {
      result.push_back(
          {data[s], i * length, std::min(length, whole - i * length), static_cast<Index>(s)});
    }
  }
  return result;
}

ModalFilter::ModalFilter(const RealModes& modes, Index inputs)
    : modes_(&modes), columns_{modes.V.rows(), inputs} {
  restart();
}

void ModalFilter::restart() {
  state_.real = Eigen::MatrixXd::Zero(columns_.order, columns_.inputs + 1);
  state_.imaginary = state_.real;
  // The free motion is the response to a unit impulse just before the first sample.
  state_.real.col(columns_.inputs).setOnes();
}

Eigen::MatrixXd ModalFilter::states() const {
  Eigen::MatrixXd result = state_.real;
  for (Index i = 0; i + 1 < columns_.order; ++i) {
    if (modes_->block[static_cast<std::size_t>(i) + 1] == i) {
      result.row(i + 1) = state_.imaginary.row(i);
    }
  }
  return result;
}

FilterState later_state(const RealModes& modes, const FilterState& before, Index count,
                        const FilterState& forced) {
  FilterState result = forced;
  for (Index i = 0; i < before.real.rows(); ++i) {
    if (modes.block[static_cast<std::size_t>(i)] != i) continue;
    const std::complex<double> factor =
        std::pow(modes.poles[static_cast<std::size_t>(i)], static_cast<double>(count));
    const double a = std::abs(factor) < kDecayed ? 0.0 : factor.real();
    const double b = std::abs(factor) < kDecayed ? 0.0 : factor.imag();
    result.real.row(i) += a * before.real.row(i) - b * before.imaginary.row(i);
    result.imaginary.row(i) += b * before.real.row(i) + a * before.imaginary.row(i);
  }
  return result;
}

void ModalFilter::next(Eigen::Ref<Eigen::MatrixXd> rows) {
  const Index samples = rows.rows();
  const Eigen::VectorXd nothing = Eigen::VectorXd::Zero(samples);
  Eigen::VectorXd unused(samples);
  for (Index i = 0; i < columns_.order; ++i) {
    if (modes_->block[static_cast<std::size_t>(i)] != i) continue;
    const std::complex<double> pole = modes_->poles[static_cast<std::size_t>(i)];
    for (Index from = 0; from <= columns_.inputs; from += kLanes) {
      std::array<Lane, kLanes> lanes;
      std::array<double, kLanes> re{};
      std::array<double, kLanes> im{};
      for (std::size_t l = 0; l < kLanes; ++l) {
        const Index j = from + static_cast<Index>(l);
        const bool used = j <= columns_.inputs;
        const Index place = columns_.filtered(j) + i;
        lanes[l] = {j < columns_.inputs ? rows.col(columns_.direct() + j).data() : nothing.data(),
                    used ? rows.col(place).data() : unused.data(),
                    used && pole.imag() != 0.0 ? rows.col(place + 1).data() : unused.data()};
        if (used) {
          re[l] = state_.real(i, j);
          im[l] = state_.imaginary(i, j);
        }
      }
      run(pole, samples, lanes, re, im);
      for (std::size_t l = 0; l < kLanes && from + static_cast<Index>(l) <= columns_.inputs; ++l) {
        // What has decayed is dropped before it reaches the slow denormal numbers.
        const bool decayed = std::abs(re[l]) + std::abs(im[l]) < kDecayed;
        state_.real(i, from + static_cast<Index>(l)) = decayed ? 0.0 : re[l];
        state_.imaginary(i, from + static_cast<Index>(l)) = decayed ? 0.0 : im[l];
      }
    }
  }
}

}  // namespace alembert::identify::realisation
