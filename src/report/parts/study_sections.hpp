#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "alembert/study/source_files.hpp"
#include "report/page/vocabulary.hpp"

/// Sections that the reports of all tasks share.
namespace alembert::report {

/// "What was asked": the overrides of the command line and the study as written.
[[nodiscard]] Section asked_section(const std::filesystem::path& file, const std::string& text,
                                    const std::vector<std::string>& overrides);

/// "Files": result.json and then (name, content) of each other file.
[[nodiscard]] Section files_section(const std::vector<std::pair<std::string, std::string>>& files);

/// "Traceability": who made it, which files it is from, and what computed it.
[[nodiscard]] Section traceability_section(const study::StudyTrace& trace);

/// Names of numbered files in words: "record.csv", or "record-01.csv … record-12.csv".
[[nodiscard]] std::string file_range(const std::string& stem, std::size_t first, std::size_t last,
                                     std::size_t count);

}  // namespace alembert::report
