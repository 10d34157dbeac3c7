#pragma once

#include <vector>

#include "alembert/study/detail/problem.hpp"
#include "alembert/study/reduce.hpp"
#include "study/parts/data/file_context.hpp"

namespace alembert::study {

/// Reads [structure]. @throws DataError, StudyError
[[nodiscard]] model::Structure read_large_structure(const TableReader& table,
                                                    const FileContext& files);

/// Rows that a list of selections names, each once, in the order of the list.
/// @throws StudyError
[[nodiscard]] std::vector<Eigen::Index> read_rows(const TableReader& table, const std::string& key,
                                                  const model::Structure& structure);

/// Reads the whole study for [reduce]; what is wrong is added to `problems`.
[[nodiscard]] ReduceStudy read_reduce(const TableReader& root, const FileContext& files,
                                      std::vector<Problem>& problems);

}  // namespace alembert::study
