#include <fmt/format.h>

#include <limits>
#include <numbers>

#include "alembert/study/modes.hpp"
#include "study/result/describe_parts.hpp"
#include "study/result/json.hpp"
#include "study/result/settings.hpp"
#include "study/tasks/modes/modes_keys.hpp"
#include "study/tasks/modes/shape_columns.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;
using identify::Mode;

void describe_complex(const Eigen::VectorXcd& values, ResultTree& tree) {
  tree.add("real", Eigen::VectorXd(values.real()));
  tree.add("imaginary", Eigen::VectorXd(values.imag()));
}

void describe_mode(const Mode& mode, int number, ResultTree& tree) {
  tree.add("mode", number);
  tree.add("frequency_hz", mode.frequency_hz).named("frequency", "Hz");
  tree.add("frequency_deviation", mode.frequency_deviation);
  tree.add("damping_ratio", mode.damping_ratio).named("damping ratio");
  tree.add("damping_deviation", mode.damping_deviation);
  tree.add("damping_known", mode.damping_known);
  tree.add("remark", mode.remark).in_words(mode.remark.empty() ? "-" : mode.remark);
  tree.add("collinearity", mode.collinearity).named("MPC");
  tree.add("phase_spread", mode.phase_spread * 180.0 / std::numbers::pi).named("MPD", "deg");
  describe_complex(mode.shape, tree.group("shape"));
  tree.add("shape_deviation", mode.shape_deviation);
  describe_complex(mode.participation, tree.group("participation"));
}

void describe_scale(const identify::ScaledMode& scaled, ResultTree& tree) {
  tree.add("modal_mass", scaled.modal_mass).named("modal mass");
  tree.add("driving_phase", scaled.phase * 180.0 / std::numbers::pi)
      .named("phase at the driving point", "deg");
  tree.add("scale_trusted", scaled.trusted);
  tree.add("scale_remark", scaled.remark).in_words(scaled.remark.empty() ? "-" : scaled.remark);
  describe_complex(scaled.shape, tree.group("scaled_shape"));
  describe_complex(scaled.drive, tree.group("scaled_drive"));
}

void describe_diagram(const std::vector<identify::StabilityPoint>& points, ResultTree& list) {
  for (const identify::StabilityPoint& one : points) {
    ResultTree& item = list.item();
    item.add("order", one.order);
    item.add("frequency_hz", one.frequency_hz);
    item.add("damping_ratio", one.damping_ratio);
    item.add("stable", one.stable);
  }
}

void describe_channels(const std::vector<ColumnUse>& columns,
                       const std::vector<identify::OutputFit>& fits, ResultTree& list) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    ResultTree& item = list.item();
    describe_column(columns[i], item);
    if (i >= fits.size()) continue;
    item.add("fit", fits[i].fit_percent).named("fit", "%");
    item.add("residual_rms", fits[i].residual).named("residual rms");
  }
}

// 100 (1 - |measured - synthesised|/|measured|) over all lines, outputs and inputs.
double synthesis_percent(const identify::FrfModes& found) {
  if (!found.has_model()) return std::numeric_limits<double>::quiet_NaN();
  const identify::FrfData& data = found.data;
  const Eigen::MatrixXcd model = synthesised(found.fit, data, data.frequencies_hz);
  return 100.0 * (1.0 - (data.values - model).norm() / data.values.norm());
}

void describe_choice(const identify::FrfModes& found, ResultTree& choice) {
  choice.add("candidates", static_cast<std::uint64_t>(found.candidates));
  choice.add("beyond_band", static_cast<std::uint64_t>(found.beyond));
  choice.add("frf_variance", found.fit.variance);
  choice.add("frf_fit", synthesis_percent(found)).named("synthesised over measured", "%");
  choice.add("deviations_estimated", found.deviations_estimated);
  if (found.deviations_estimated) choice.add("relative_noise", found.relative_noise);
}

void describe_taps(const identify::DecayModes& found, ResultTree& tree) {
  tree.add("iterations", found.iterations);
  ResultTree& choice = tree.group("choice");
  choice.add("candidates", static_cast<std::uint64_t>(found.candidates));
  choice.add("decimation", static_cast<std::int64_t>(found.decimation));
  choice.add("singular_values", found.singular_values);
  ResultTree& decays = tree.list("decays");
  for (const identify::DecayWindow& one : found.windows) {
    ResultTree& item = decays.item();
    item.add("peak", one.peak).named("largest sample", "s");
    item.add("start", one.start).named("begin", "s");
    item.add("length", one.length).named("length", "s");
  }
  ResultTree& steady = tree.list("harmonics");
  for (const Mode& one : found.harmonics) {
    ResultTree& item = steady.item();
    item.add("frequency_hz", one.frequency_hz).named("frequency", "Hz");
    item.add("remark", one.remark).named("why it is no mode");
  }
}

void describe_forced(const identify::RecordModes& found, ResultTree& tree) {
  tree.add("refined", found.refined);
  tree.add("iterations", found.iterations);
  ResultTree& choice = tree.group("choice");
  describe_choice(found.frf, choice);
  choice.add("segments", static_cast<std::int64_t>(found.measured.averaging.segments));
  choice.add("resolution_hz", found.measured.averaging.resolution_hz);
}

void describe_ambient(const identify::AmbientModes& found, ResultTree& tree) {
  ResultTree& choice = tree.group("choice");
  choice.add("block_rows", static_cast<std::int64_t>(found.block_rows));
  choice.add("blocks", found.blocks);
  choice.add("decimation", static_cast<std::int64_t>(found.decimation));
  choice.add("singular_values", found.singular_values);
}

void describe_geometry(const ModesStudy& study, ResultTree& tree) {
  const ModesGeometry& geometry = *study.geometry;
  tree.add("file", "modes.unv");
  tree.add("nodes", geometry.structure.nodes);
  tree.add("positions", geometry.structure.positions);
  ResultTree& sensors = tree.list("sensors");
  for (std::size_t i = 0; i < geometry.sensors.size(); ++i) {
    const identify::SensorPlace& place = geometry.sensors[i];
    if (place.node < 0) continue;
    ResultTree& item = sensors.item();
    item.add("name", study.outputs[i].name);
    item.add("node", geometry.structure.nodes[static_cast<std::size_t>(place.node)]);
    item.add("direction", Eigen::VectorXd(place.direction));
  }
}

std::vector<identify::OutputFit> output_fits(const ModesOutcome& result) {
  if (result.forced) return result.forced->outputs;
  if (result.taps) return result.taps->outputs;
  return {};
}

// Frequencies and damping in the form of other tasks: Monte Carlo studies take them from there.
void describe_mode_estimates(const std::vector<Mode>& modes, ResultTree& list) {
  for (std::size_t r = 0; r < modes.size(); ++r) {
    ResultTree& frequency = list.item();
    frequency.add("name", fmt::format("f{}", r + 1));
    frequency.add("unit", "Hz");
    frequency.add("value", modes[r].frequency_hz);
    frequency.add("deviation", modes[r].frequency_deviation);
    ResultTree& damping = list.item();
    damping.add("name", fmt::format("zeta{}", r + 1));
    damping.add("unit", "");
    damping.add("value", modes[r].damping_ratio);
    damping.add("deviation", modes[r].damping_deviation);
  }
}

}  // namespace

ResultTree describe(const ModesOutcome& result) {
  ResultTree tree = result_head("identify", result.study.title);
  tree.add("method", "modes");
  tree.add("data", std::string(name_of(result.study.settings.data)));
  describe_head(result, tree);
  describe_channels(result.study.inputs, {}, tree.list("inputs"));
  describe_channels(result.study.outputs, output_fits(result), tree.list("outputs"));
  if (result.forced) describe_forced(*result.forced, tree);
  if (result.ambient) describe_ambient(*result.ambient, tree);
  if (result.taps) describe_taps(*result.taps, tree);
  if (result.frf) describe_choice(*result.frf, tree.group("choice"));
  ResultTree& modes = tree.list("modes");
  for (std::size_t r = 0; r < result.modes.size(); ++r) {
    ResultTree& item = modes.item();
    describe_mode(result.modes[r], static_cast<int>(r + 1), item);
    if (r < result.scaled.size()) describe_scale(result.scaled[r], item);
  }
  describe_mode_estimates(result.modes, tree.list("parameters").not_in_file());
  if (!result.modes.empty()) {
    ResultTree& shapes = tree.group("shapes");
    shapes.add("file", "shapes.csv");
    shapes.add("values", shape_columns(result));
  }
  if (has_shapes(result)) tree.add("mac", identify::mac_matrix(result.modes, result.modes));
  if (result.study.geometry) describe_geometry(result.study, tree.group("geometry"));
  describe_diagram(result.diagram, tree.list("stabilisation"));
  describe_settings(modes_keys(), result.study.settings, tree.group("settings").group("identify"));
  return tree;
}

}  // namespace alembert::study
