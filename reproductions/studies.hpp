#pragma once

#include <string>

#include "alembert/model/second_order.hpp"
#include "alembert/study/reduce.hpp"

/// The studies of studies/ from which reproductions take their models, so that a published number
/// is written once. They are part of the program: no folder has to be found when it runs.
namespace alembert::reproductions {

/// A study as written. @param name folder and file, "frame-8dof/simulate.toml"
/// @throws InvalidInput for a study that is not listed in reproductions/CMakeLists.txt.
[[nodiscard]] std::string study_text(const std::string& name);

/// A text of a study, such as its equations. @param key with dots, "model.equations"
/// @throws InvalidInput if the study has no such text.
[[nodiscard]] std::string study_word(const std::string& name, const std::string& key);

/// A number of a study. @param key with dots, "truth.a"
/// @throws InvalidInput if the study has no such number.
[[nodiscard]] double study_number(const std::string& name, const std::string& key);

/// M, D, K and L of a study with [simulate] that is given by matrices.
/// @throws InvalidInput if it is another one.
[[nodiscard]] model::SecondOrder study_system(const std::string& name);

/// Structure, masters and options of a study with [reduce]. @throws InvalidInput if it is another
/// one.
[[nodiscard]] study::ReduceStudy study_reduction(const std::string& name);

}  // namespace alembert::reproductions
