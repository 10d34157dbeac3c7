#include "study/tasks/identify/read_identify.hpp"

#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "study/parts/linear/read_matrix.hpp"
#include "study/parts/linear/read_model.hpp"
#include "study/schema/check_keys.hpp"

namespace alembert::study {
namespace {

// Remarks on the data name channels; a name must therefore stand for one.
void check_distinct(const std::vector<NamedColumn>& inputs,
                    const std::vector<NamedColumn>& outputs) {
  for (const NamedColumn& output : outputs) {
    for (const NamedColumn& input : inputs) {
      if (input.name != output.name) continue;
      throw StudyError(output.column.place,
                       fmt::format("{}: there is an input named \"{}\" already; give the output "
                                   "another name",
                                   output.column.key, output.name));
    }
  }
}

void read_truth(const TableReader& root, const FileContext& files, IdentifyStudy& study) {
  if (!root.has("truth")) return;
  const TableReader truth = root.table("truth");
  const model::SecondOrder system = read_matrices(truth, files);
  const Eigen::Index n = study.model.system.L.rows();
  if (system.M.rows() != n) {
    truth.fail("mass", fmt::format("must be {} x {} for {} coordinates, got {}", n, n, n,
                                   size_text(system.M)));
  }
  study.settings.truth = identify::Matrices{system.M, system.D, system.K};
}

void set_weights(IdentifyStudy& study) {
  if (!study.outputs.front().sigma) return;
  Eigen::VectorXd& weights = study.settings.refinement.weights;
  weights.resize(static_cast<Eigen::Index>(study.outputs.size()));
  for (Eigen::Index i = 0; i < weights.size(); ++i) {
    weights(i) = 1.0 / *study.outputs[static_cast<std::size_t>(i)].sigma;
  }
}

}  // namespace

IdentifyStudy read_identify(const TableReader& root, const FileContext& files,
                            std::vector<Problem>& problems) {
  IdentifyStudy study;
  const TableReader data = root.table("data");
  const TableReader model = root.table("model");
  ChannelColumns channels;
  bool all_free = true;
  const bool ready = attempt(problems, [&] {
    channels = read_channel_columns(data, "u", "y");
    study.model = read_identify_model(model, channels.inputs, files);
    check_distinct(channels.inputs, channels.outputs);
  });
  const std::vector<NamedColumn>& inputs = channels.inputs;
  const std::vector<NamedColumn>& outputs = channels.outputs;
  // Without coordinates and channels nothing else can be judged.
  if (!ready) return study;
  attempt(problems, [&] { all_free = read_structure(model, study); });
  read_output_sensors(root, outputs, study, problems);
  attempt(problems, [&] { read_truth(root, files, study); });
  if (study.outputs.size() == outputs.size()) read_settings(root, all_free, study, problems);
  if (!problems.empty()) return study;
  const bool measured =
      attempt(problems, [&] { read_measured(data, inputs, outputs, files, study); });
  if (!measured) return study;
  set_weights(study);
  // Done here, where a remark can name the key of the channel.
  study.settings.examine_records = false;
  examine_data(data, inputs, outputs, study, problems);
  check_settings_on_data(root, study, problems);
  return study;
}

}  // namespace alembert::study
