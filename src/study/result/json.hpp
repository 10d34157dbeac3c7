#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "alembert/document/result_tree.hpp"

namespace alembert::study {

/// Keys keep the order in which they are set.
using Json = nlohmann::ordered_json;

/// The keys that begin every result file: format, version, task, title, study.
[[nodiscard]] Json json_head(const std::string& task, const std::string& title);

/// A number; null where it is not finite, which JSON cannot say.
[[nodiscard]] Json json_number(double value);

/// Numbers as a list, and a matrix as a list of rows.
[[nodiscard]] Json numbers_json(const Eigen::Ref<const Eigen::VectorXd>& values);
[[nodiscard]] Json rows_json(const Eigen::MatrixXd& matrix);

/// A described result: groups become objects, lists arrays, numbers that are not finite null.
[[nodiscard]] Json to_json(const document::ResultTree& tree);
/// The same beginning as json_head(), for a result that is described as a tree.
[[nodiscard]] document::ResultTree result_head(const std::string& task, const std::string& title);

/// Writes result.json into a folder. @throws DataError if that fails.
void write_json(const Json& json, const std::filesystem::path& file);

}  // namespace alembert::study
