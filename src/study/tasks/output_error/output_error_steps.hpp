#pragma once

#include "alembert/study/output_error.hpp"

/// The steps of run_output_error().
namespace alembert::study {

/// Simulates and scores the held-back data, if there are any and the parameters were found.
void validate_equations(const model::CompiledEquations& model, OutputErrorOutcome& result);

/// Finds the profile-likelihood intervals that the study asks for.
void find_profiles(const model::CompiledEquations& model, const RunOptions& options,
                   OutputErrorOutcome& result);

/// Adds what may surprise to the warnings.
void warn_about_equations(OutputErrorOutcome& result);

}  // namespace alembert::study
