#pragma once

#include <string>

namespace alembert::study {

/// Refuses text whose keys or brackets nest deeper than any study needs (32 levels each): the
/// parser and the destructor of its tree recurse, and a hostile file must not exhaust the stack.
/// @throws StudyError at the place where it becomes too deep.
void check_nesting(const std::string& text, const std::string& file);

}  // namespace alembert::study
