#pragma once

#include "alembert/document/result_tree.hpp"
#include "alembert/study/simulate.hpp"

namespace alembert::study {

/// Adds the settings of [simulate] for the model at hand, as they were used.
void describe_simulate_settings(const SimulateStudy& study, document::ResultTree& table);

}  // namespace alembert::study
