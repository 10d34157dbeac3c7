#pragma once

#include <string>
#include <vector>

#include "alembert/document/claims.hpp"
#include "alembert/document/table.hpp"
#include "alembert/study/detail/problem.hpp"
#include "alembert/study/simulate.hpp"
#include "session.hpp"

/// What the tool says about results.
namespace alembert::app {

/// The problems of a study, one line each, on standard error. Returns the exit code: that of the
/// first problem.
int print_problems(const std::vector<study::Problem>& problems, const Session& session);

/// "3 bodies, 4 joints, 1 coordinate"
[[nodiscard]] std::string mechanism_words(const model::planar::Mechanism& mechanism);

/// "frame   8 degrees of freedom, 8 forces, 8 sensors, 3300 samples at 200 Hz"
void print_heading(const study::SimulateStudy& study);

/// A step of a run: "  simulate   exact, cubic hold            0.02 s"
void print_step(const std::string& name, const std::string& what, const std::string& time = "");

/// The modes as a table, 12 at most.
void print_modes(const std::vector<model::DampedMode>& modes);

/// Definiteness of M, D, K in words.
[[nodiscard]] std::string model_words(const model::SecondOrderCheck& check);

/// What the sensors give, in words.
[[nodiscard]] std::string sensor_words(const study::SimulateResult& result);

/// A table of numbers: each column as wide as its heading or its numbers, both flush right. A table
/// wider than 100 columns is split into several, each with the first column.
void print_table(const document::Table& table);

/// The claims as a table.
void print_claims(const std::vector<document::Claim>& claims);

/// "1 force", "8 forces"
[[nodiscard]] std::string counted(long long count, const std::string& singular);

}  // namespace alembert::app
