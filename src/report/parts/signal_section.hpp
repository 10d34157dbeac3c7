#pragma once

#include <optional>
#include <string>

#include "alembert/integrate/energy.hpp"
#include "alembert/study/simulate.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// The inputs: where each comes from, its size, and all of them over time.
Section input_section(const study::SimulateResult& result);

/// The sensors: noise in figures, records over the true signals, spectra.
Section sensor_section(const study::SimulateResult& result);

/// The energy balance of the first finished experiment; none if its motion is too large, not there,
/// or has no energy.
std::optional<integrate::EnergyBalance> first_energy_balance(const study::SimulateResult& result);

/// The unit of the energies: "J" in SI units, "" elsewhere.
std::string energy_unit(const study::ModelDescription& model);

/// Where the energy came from and went; a section without blocks if there is no balance.
Section energy_section(const study::SimulateResult& result,
                       const std::optional<integrate::EnergyBalance>& balance);

/// A curve of samples, thinned already if it is long, so that documents of long records stay small.
Curve sampled_curve(const std::string& name, const Eigen::Ref<const Eigen::VectorXd>& times,
                    const Eigen::Ref<const Eigen::VectorXd>& values);

/// What a sensor would give without delay, noise and quantisation, in its own unit.
/// Empty if the experiment holds no truth.
Eigen::VectorXd true_signal(const study::SimulateStudy& study,
                            const study::SensorDescription& sensor,
                            const study::Experiment& experiment);

}  // namespace alembert::report
