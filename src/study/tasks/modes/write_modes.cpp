#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "alembert/io/table.hpp"
#include "alembert/io/uff_geometry.hpp"
#include "alembert/study/modes.hpp"
#include "study/result/json.hpp"
#include "study/tasks/modes/modal_model_study.hpp"
#include "study/tasks/modes/shape_columns.hpp"

namespace alembert::study {

Eigen::MatrixXd shape_columns(const ModesOutcome& result) {
  const auto count = static_cast<Eigen::Index>(result.modes.size());
  const auto outputs = static_cast<Eigen::Index>(result.study.outputs.size());
  Eigen::MatrixXd columns =
      Eigen::MatrixXd::Constant(outputs, 2 * count, std::numeric_limits<double>::quiet_NaN());
  for (Eigen::Index r = 0; r < count; ++r) {
    const Eigen::VectorXcd& shape = result.modes[static_cast<std::size_t>(r)].shape;
    if (shape.size() != outputs) continue;
    columns.col(2 * r) = shape.real();
    columns.col(2 * r + 1) = shape.imag();
  }
  return columns;
}

bool has_shapes(const ModesOutcome& result) {
  return !result.modes.empty() &&
         std::all_of(result.modes.begin(), result.modes.end(), [&](const identify::Mode& mode) {
           return mode.shape.size() == static_cast<Eigen::Index>(result.study.outputs.size());
         });
}

namespace {

// Names of nodes that are whole numbers are their labels; else the labels are 1, 2, 3, ...
std::vector<long long> node_labels(const std::vector<std::string>& names) {
  constexpr std::size_t kMostDigits = 9;  // of a field of ten columns
  const bool numbered = std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return name.size() <= kMostDigits && name.front() != '0' &&
           name.find_first_not_of("0123456789") == std::string::npos;
  });
  std::vector<long long> labels;
  for (std::size_t i = 0; i < names.size(); ++i) {
    labels.push_back(numbered ? std::stoll(names[i]) : static_cast<long long>(i + 1));
  }
  return labels;
}

std::vector<std::vector<long long>> labelled(const std::vector<std::vector<Eigen::Index>>& lists,
                                             const std::vector<long long>& labels) {
  std::vector<std::vector<long long>> named;
  for (const std::vector<Eigen::Index>& list : lists) {
    std::vector<long long>& own = named.emplace_back();
    for (const Eigen::Index row : list) own.push_back(labels[static_cast<std::size_t>(row)]);
  }
  return named;
}

void write_moving_shapes(const ModesOutcome& result, const std::filesystem::path& file) {
  const ModesGeometry& geometry = *result.study.geometry;
  const identify::ShapeGeometry& structure = geometry.structure;
  const std::vector<long long> labels = node_labels(structure.nodes);
  io::UffGeometry written{.nodes = {},
                          .lines = labelled(structure.lines, labels),
                          .surfaces = labelled(structure.surfaces, labels)};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    written.nodes.push_back(
        {.label = labels[i],
         .position = structure.positions.row(static_cast<Eigen::Index>(i)).transpose()});
  }
  std::vector<io::UffMode> modes;
  for (std::size_t r = 0; r < result.modes.size(); ++r) {
    const identify::Mode& mode = result.modes[r];
    if (mode.shape.size() != static_cast<Eigen::Index>(geometry.sensors.size())) continue;
    modes.push_back({.pole = mode.pole,
                     .motion = identify::node_motion(structure, geometry.sensors, mode.shape),
                     .id = fmt::format("mode {}: {:.6g} Hz, damping ratio {:.4g}", r + 1,
                                       mode.frequency_hz, mode.damping_ratio)});
  }
  io::write_uff_modes(file, written, modes);
}

}  // namespace

void write_modes_result(const ModesOutcome& result, const std::filesystem::path& folder) {
  if (!result.modes.empty()) io::write_matrix(folder / "shapes.csv", shape_columns(result));
  if (result.study.geometry) write_moving_shapes(result, folder / "modes.unv");
  if (has_modal_model(result)) write_modal_model(result, folder / "modal-model.toml");
  write_result(describe(result), folder);
}

}  // namespace alembert::study
