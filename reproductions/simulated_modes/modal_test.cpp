#include "reproductions/simulated_modes/modal_test.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "alembert/signal/resample.hpp"
#include "reproductions/simulated_modes/modal_bound.hpp"
#include "reproductions/simulated_modes/modal_states.hpp"

namespace alembert::reproductions::simulated_modes {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr int kResonances = 8;        // beside the one that is close to another
constexpr double kLeastRatio = 1.02;  // of neighbouring frequencies
constexpr double kCloseRatio = 1.01;
constexpr Index kFiner = 4;                   // of the grid on which blows are simulated
constexpr double kBlowWidth = 1.3 / kBandTo;  // s: a half sine that falls by 20 dB to the end
constexpr Index kBlowSamples = 2048;
constexpr Index kFilterSamples = 128;  // at either end, where the filter knows only one side
constexpr int kBlows = 3;              // at each point
constexpr Index kShakerSamples = 16384;
constexpr Index kAmbientSamples = 65536;
constexpr Index kSettleSamples = 8192;
constexpr double kForceNoise = 1e-3;   // of the rms force
constexpr double kLeastCycles = 50.0;  // 2π f ζ T that shows a damping to a seventh
constexpr double kLeastPeak = 3.0;     // over the noise, in power

struct TestSize {
  Index outputs, inputs;
};
constexpr std::array<TestSize, 3> kTestSizes{{{4, 1}, {12, 2}, {40, 3}}};

VectorXd draw_frequencies(RandomStream& random) {
  VectorXd f(kResonances);
  const double width = kBandTo - kBandFrom;
  double least = 0.0;
  while (least < kLeastRatio) {
    for (double& one : f) one = kBandFrom + width * random.uniform(0.10, 0.88);
    std::sort(f.begin(), f.end());
    least = (f.tail(kResonances - 1).array() / f.head(kResonances - 1).array()).minCoeff();
  }
  VectorXd all(kResonances + 3);
  all << f, kCloseRatio * f(static_cast<Index>(random.below(kResonances))),
      random.uniform(0.4, 0.7) * kBandFrom, random.uniform(1.06, 1.18) * kBandTo;
  std::sort(all.begin(), all.end());
  return all;
}

void add_noise(double deviation, RandomStream& random, MatrixXd& samples) {
  for (double& one : samples.reshaped()) one += deviation * random.normal();
}

double rms(const std::vector<signal::InputOutput>& experiments,
           Eigen::MatrixXd signal::InputOutput::*part) {
  double sum = 0.0, count = 0.0;
  for (const signal::InputOutput& one : experiments) {
    sum += (one.*part).squaredNorm();
    count += static_cast<double>((one.*part).size());
  }
  return std::sqrt(sum / count);
}

// White noise on responses, and a little on forces.
double disturb(double decibel, RandomStream& random,
               std::vector<signal::InputOutput>& experiments) {
  const double sigma =
      std::pow(10.0, -decibel / 20.0) * rms(experiments, &signal::InputOutput::outputs);
  const double force = kForceNoise * rms(experiments, &signal::InputOutput::inputs);
  for (signal::InputOutput& one : experiments) {
    add_noise(sigma, random, one.outputs);
    add_noise(force, random, one.inputs);
  }
  return sigma;
}

// One blow on a finer grid: the force and the states pass the same low-pass filter.
struct Blow {
  VectorXd force;
  MatrixXcd states;
};

Blow simulate_blow(const VectorXcd& poles, RandomStream& random) {
  const double fine = 1.0 / (kTestRate * static_cast<double>(kFiner));
  const Index samples = (kBlowSamples + 2 * kFilterSamples) * kFiner;
  const double start =
      (static_cast<double>(kFilterSamples) + random.uniform(40.0, 60.0)) / kTestRate;
  const double height = random.uniform(0.7, 1.3);
  VectorXd force = VectorXd::Zero(samples);
  for (Index k = 0; k < samples; ++k) {
    const double t = (static_cast<double>(k) * fine - start) / kBlowWidth;
    if (t > 0.0 && t < 1.0) force(k) = height * std::sin(std::numbers::pi * t);
  }
  const MatrixXcd states = modal_states(poles, force, fine);
  MatrixXd all(samples, 1 + 2 * poles.size());
  all << force, states.real(), states.imag();
  const MatrixXd slow = signal::resample_band_limited(all, fine, 1.0 / kTestRate)
                            .middleRows(kFilterSamples, kBlowSamples);
  Blow blow{.force = slow.col(0), .states = MatrixXcd(kBlowSamples, poles.size())};
  blow.states.real() = slow.middleCols(1, poles.size());
  blow.states.imag() = slow.rightCols(poles.size());
  return blow;
}

// The modal states of each input in each experiment.
using StatesOfInputs = std::vector<std::vector<MatrixXcd>>;

ModalTest impact_test(KnownStructure structure, RandomStream& random, StatesOfInputs& states) {
  ModalTest test{.structure = std::move(structure), .experiments = {}, .clear = {}};
  const Index inputs = test.structure.drives.cols();
  for (Index j = 0; j < inputs; ++j) {
    for (int k = 0; k < kBlows; ++k) {
      const Blow blow = simulate_blow(test.structure.poles, random);
      signal::InputOutput one{.inputs = MatrixXd::Zero(kBlowSamples, inputs), .outputs = {}};
      one.inputs.col(j) = blow.force;
      const VectorXd drive = test.structure.drives.col(j);
      one.outputs = accelerations(test.structure, blow.states * drive.asDiagonal(),
                                  blow.force * drive.transpose());
      states.emplace_back(static_cast<std::size_t>(inputs),
                          MatrixXcd::Zero(kBlowSamples, test.structure.poles.size()));
      states.back()[static_cast<std::size_t>(j)] = blow.states;
      test.experiments.push_back(std::move(one));
    }
  }
  return test;
}

// Forces that are white and linear between samples; the structure already moves at the first one.
ModalTest shaker_test(KnownStructure structure, RandomStream& random, StatesOfInputs& states) {
  const Index inputs = structure.drives.cols();
  const Index samples = kShakerSamples + kSettleSamples;
  MatrixXd forces = MatrixXd::Zero(samples, inputs);
  add_noise(1.0, random, forces);
  states.emplace_back();
  MatrixXcd sum = MatrixXcd::Zero(kShakerSamples, structure.poles.size());
  for (Index j = 0; j < inputs; ++j) {
    states.back().push_back(
        modal_states(structure.poles, forces.col(j), 1.0 / kTestRate).bottomRows(kShakerSamples));
    sum += states.back().back() * structure.drives.col(j).asDiagonal();
  }
  signal::InputOutput one{.inputs = forces.bottomRows(kShakerSamples), .outputs = {}};
  one.outputs = accelerations(structure, sum, one.inputs * structure.drives.transpose());
  return {.structure = std::move(structure), .experiments = {std::move(one)}, .clear = {}};
}

// A mode that is long enough in the record, and whose peak stands above the noise.
std::vector<bool> clear_in_wind(const KnownStructure& structure, const MatrixXcd& states,
                                double sigma) {
  std::vector<bool> clear;
  const double seconds = static_cast<double>(kAmbientSamples) / kTestRate;
  for (Index r = 0; r < structure.poles.size(); ++r) {
    const double decay = -structure.poles(r).real();  // 2π f ζ
    // The peak of a line of power P and half-power width decay/π is P/decay in one-sided density.
    const double power = 0.5 * states.col(r).squaredNorm() / static_cast<double>(kAmbientSamples) *
                         std::norm(structure.poles(r)) * structure.shapes.col(r).squaredNorm();
    const double noise =
        2.0 * sigma * sigma / kTestRate * static_cast<double>(structure.shapes.rows());
    clear.push_back(structure.in_band(r) && decay * seconds > kLeastCycles &&
                    2.0 * power / decay > kLeastPeak * noise);
  }
  return clear;
}

ModalTest ambient_test(KnownStructure structure, double decibel, RandomStream& random,
                       RandomStream& noise) {
  const Index samples = kAmbientSamples + kSettleSamples;
  MatrixXd forces = MatrixXd::Zero(samples, structure.shapes.rows());
  add_noise(1.0, random, forces);
  const MatrixXd loads = forces * structure.shapes;
  MatrixXcd states(kAmbientSamples, structure.poles.size());
  for (Index r = 0; r < states.cols(); ++r) {
    states.col(r) = modal_states(structure.poles.segment(r, 1), loads.col(r), 1.0 / kTestRate)
                        .bottomRows(kAmbientSamples);
  }
  ModalTest test{.structure = std::move(structure), .experiments = {{}}, .clear = {}};
  test.experiments.front().outputs =
      accelerations(test.structure, states, loads.bottomRows(kAmbientSamples));
  const double sigma =
      std::pow(10.0, -decibel / 20.0) * rms(test.experiments, &signal::InputOutput::outputs);
  add_noise(sigma, noise, test.experiments.front().outputs);
  test.clear = clear_in_wind(test.structure, states, sigma);
  return test;
}

}  // namespace

std::string_view name_of(TestKind kind) {
  switch (kind) {
    case TestKind::Impact:
      return "impact";
    case TestKind::Shaker:
      return "shaker";
    case TestKind::Ambient:
      return "ambient";
  }
  return "";
}

double KnownStructure::frequency_hz(Index mode) const {
  return std::abs(poles(mode)) / (2.0 * std::numbers::pi);
}

double KnownStructure::damping_ratio(Index mode) const {
  return -poles(mode).real() / std::abs(poles(mode));
}

bool KnownStructure::in_band(Index mode) const {
  return frequency_hz(mode) > kBandFrom && frequency_hz(mode) < kBandTo;
}

KnownStructure draw_structure(Index outputs, Index inputs, RandomStream& random) {
  const VectorXd f = draw_frequencies(random);
  KnownStructure structure{.poles = VectorXcd(f.size()),
                           .shapes = MatrixXd::Zero(outputs, f.size()),
                           .drives = MatrixXd::Zero(f.size(), inputs)};
  for (Index r = 0; r < f.size(); ++r) {
    const double omega = 2.0 * std::numbers::pi * f(r);
    const double ratio = std::exp(random.uniform(std::log(0.001), std::log(0.05)));
    structure.poles(r) = Complex(-ratio * omega, omega * std::sqrt(1.0 - ratio * ratio));
  }
  add_noise(1.0, random, structure.shapes);
  add_noise(1.0, random, structure.drives);
  return structure;
}

ModalTest simulate_test(TestKind kind, double decibel, std::uint64_t seed) {
  const TestSize size = kTestSizes[seed % kTestSizes.size()];
  const RandomStream all(20261120, 8 * seed + static_cast<std::uint64_t>(kind));
  RandomStream drawn = all.child(0), moved = all.child(1), noise = all.child(2);
  KnownStructure structure = draw_structure(size.outputs, size.inputs, drawn);
  if (kind == TestKind::Ambient) {
    return ambient_test(std::move(structure), decibel, moved, noise);
  }
  StatesOfInputs states;
  ModalTest test = kind == TestKind::Impact ? impact_test(std::move(structure), moved, states)
                                            : shaker_test(std::move(structure), moved, states);
  const double sigma = disturb(decibel, noise, test.experiments);
  test.clear = clear_modes(test.structure, states, 1.0 / kTestRate, sigma);
  return test;
}

}  // namespace alembert::reproductions::simulated_modes
