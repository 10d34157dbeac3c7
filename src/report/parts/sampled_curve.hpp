#pragma once

#include <Eigen/Core>
#include <string>

#include "alembert/study/simulate.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// A curve of samples, thinned already if it is long, so that documents of long records stay small.
Curve sampled_curve(const std::string& name, const Eigen::Ref<const Eigen::VectorXd>& times,
                    const Eigen::Ref<const Eigen::VectorXd>& values);

/// What a sensor would give without delay, noise and quantisation, in its own unit.
/// Empty if the experiment holds no truth.
Eigen::VectorXd true_signal(const study::SimulateStudy& study,
                            const study::SensorDescription& sensor,
                            const study::Experiment& experiment);

}  // namespace alembert::report
