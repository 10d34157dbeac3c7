#pragma once

#include <string>
#include <vector>

#include "alembert/document/claims.hpp"
#include "alembert/document/table.hpp"
#include "alembert/study/detail/problem.hpp"
#include "session.hpp"

/// What the tool says about results.
namespace alembert::app {

/// The problems of a study, one line each, on standard error. Returns the exit code: that of the
/// first problem.
int print_problems(const std::vector<study::Problem>& problems, const Session& session);

/// A step of a run: "  simulate   exact, cubic hold            0.02 s"
void print_step(const std::string& name, const std::string& what, const std::string& time = "");

/// A table of numbers: each column as wide as its heading or its numbers, both flush right. A table
/// wider than 100 columns is split into several, each with the first column.
void print_table(const document::Table& table);

/// A table of text: its title and a line a row. One that is wider than a terminal of 80 columns
/// has a line for each cell instead.
void print_text_table(const document::Table& table);

/// The claims as a table.
void print_claims(const std::vector<document::Claim>& claims);

}  // namespace alembert::app
