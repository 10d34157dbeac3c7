#pragma once

#include <vector>

#include "alembert/study/detail/problem.hpp"
#include "alembert/study/output_error.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/parts/data/named_columns.hpp"

namespace alembert::study {

/// Reads the files of [data] and [data.validation] for the inputs and outputs of the equations;
/// converts units where the study gives the model's.
/// @throws DataError, StudyError
void read_equation_data(const TableReader& data, const std::vector<NamedColumn>& inputs,
                        const std::vector<NamedColumn>& outputs, const FileContext& files,
                        OutputErrorStudy& study);

/// Reads how held-back data are started and scored; needs the model.
/// @param start_lists whether [model.start] has lists, which belong to the data used.
/// @throws StudyError
void read_validation_settings(const TableReader& root, bool start_lists, OutputErrorStudy& study);

/// @throws StudyError at the key `start` of the table unless an output is a state.
void check_states_measured(const TableReader& table, const OutputErrorStudy& study);

/// Reads the whole study for [identify] with method = "output-error"; what is wrong is added to
/// `problems`.
[[nodiscard]] OutputErrorStudy read_output_error(const TableReader& root, const FileContext& files,
                                                 std::vector<Problem>& problems);

}  // namespace alembert::study
