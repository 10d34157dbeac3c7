#pragma once

#include "alembert/document/result_tree.hpp"
#include "alembert/identify/linear_options.hpp"

namespace alembert::study {

/// Adds the settings of [identify] for M, D and K, as they were used.
void describe_identify_settings(const identify::LinearOptions& options,
                                document::ResultTree& table);

}  // namespace alembert::study
