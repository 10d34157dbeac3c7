#pragma once

#include <string>
#include <vector>

#include "alembert/study/detail/toml.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// The two studies that are done one after the other in each run.
struct SplitStudy {
  Document simulated;  ///< makes the record and knows the truth
  FileContext simulated_files;
  Document task;  ///< works on the record
};

/// Whether [monte-carlo] of a document stands around a task other than [identify] of M, D, K beside
/// its [simulate].
[[nodiscard]] bool repeats_any_task(const Value& root);

/// The keys of such a study: those of [monte-carlo]; the other tables are checked in their parts.
[[nodiscard]] const TableSpec& repeat_root_table();

/// Parts a document: with monte-carlo.simulate the simulated study is in a file of its own, else
/// [simulate] is, with [model] or [mechanism], the one, and all but [simulate] the other.
/// @throws StudyError, DataError
[[nodiscard]] SplitStudy split_study(const Document& document, const FileContext& files);

/// Sets a swept value in the part that has its key: with a file of its own those of [simulate] and
/// those below "simulated" in the simulated study, else in both. @throws StudyError
void set_swept(SplitStudy& parts, const Override& change, bool own_file);

}  // namespace alembert::study
