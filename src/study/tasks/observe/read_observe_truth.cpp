#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"
#include "core/mapped.hpp"
#include "study/parts/data/file_columns.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/observe/read_observe.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;
using estimate::StateColumn;

// How far a time of the truth may lie off that of a sample, in steps: decimals of a file round.
constexpr double kSameInstant = 1e-3;
constexpr int kMostDerivatives = 4;  // positions to jerks

/// A state and the column of the file with its true course.
struct TrueState {
  StateColumn state;
  FileColumn column;
};

// The states that may be compared: those of the observer, and all derivatives of the coordinates,
// since the model of the motion may be chosen by the data.
std::vector<StateColumn> comparable_states(const ObserveStudy& study) {
  std::vector<StateColumn> states =
      estimate::coordinate_columns(*study.mechanism, kMostDerivatives);
  for (const StateColumn& state :
       estimate::state_columns(*study.mechanism, study.options,
                               estimate::estimated_states(study.mechanism, study.options))) {
    const bool known = std::any_of(states.begin(), states.end(), [&](const StateColumn& one) {
      return one.column == state.column;
    });
    if (!known) states.push_back(state);
  }
  return states;
}

// The states that [data.truth.columns] names.
std::vector<TrueState> named_states(const TableReader& columns,
                                    const std::vector<StateColumn>& states) {
  std::vector<TrueState> found;
  for (const std::string& name : columns.keys()) {
    const auto state = std::find_if(states.begin(), states.end(), [&](const StateColumn& one) {
      return one.column == name || one.name == name;
    });
    if (state == states.end()) {
      const std::vector<std::string> known =
          mapped(states, [](const StateColumn& one) { return one.column; });
      columns.fail_at_key(name, fmt::format("{}: no state \"{}\"{}", columns.name(name), name,
                                            suggestion(name, known)));
    }
    found.push_back({*state, {columns.name(name), columns.text(name), columns.place(name)}});
  }
  return found;
}

// The states whose names the file has.
std::vector<TrueState> states_of_file(const signal::Record& record, const DataFile& file,
                                      const std::vector<StateColumn>& states) {
  std::vector<TrueState> found;
  for (const StateColumn& state : states) {
    if (!record.find(state.column)) continue;
    found.push_back({state, {file.key, state.column, file.place}});
  }
  if (!found.empty()) return found;
  throw DataError(file.place,
                  fmt::format("{}: {} has no column of a state, such as \"{}\"; name them in "
                              "data.truth.columns",
                              file.key, file.name, states.front().column));
}

// The values of a column at the times of the samples; NaN where the file has none.
Eigen::VectorXd at_samples(const signal::Record& record, const Eigen::VectorXd& values,
                           const signal::TimeAxis& time) {
  Eigen::VectorXd result = Eigen::VectorXd::Constant(time.size(), kNaN);
  const double near = kSameInstant * time.median_step();
  Index at = 0;
  for (Index k = 0; k < time.size(); ++k) {
    while (at < record.size() && record.time()[at] < time[k] - near) ++at;
    if (at == record.size()) break;
    if (record.time()[at] <= time[k] + near) result(k) = values(at);
  }
  return result;
}

}  // namespace

void read_observe_truth(const TableReader& data, const FileContext& files, ObserveStudy& study) {
  if (!data.has("truth")) return;
  const TableReader truth = data.table("truth");
  const bool own = truth.has("file");
  if (!own && !data.has("file")) truth.fail("file", "must be given: [data] has no common file");
  const DataFile file = data_file(own ? truth : data, "file", files);
  const signal::Record record = only_record(read_all_columns(own ? truth : data, file), file);
  const std::vector<StateColumn> states = comparable_states(study);
  const std::vector<TrueState> compared = truth.has("columns")
                                              ? named_states(truth.table("columns"), states)
                                              : states_of_file(record, file, states);
  estimate::KnownMotion& known = study.options.truth;
  known.values.resize(study.time.size(), static_cast<Index>(compared.size()));
  for (std::size_t i = 0; i < compared.size(); ++i) {
    const FileColumn& column = compared[i].column;
    const std::optional<Index> channel = record.find(column.column);
    if (!channel) {
      throw DataError(column.place, fmt::format("{}: {} has no column \"{}\"", column.key,
                                                file.name, column.column));
    }
    const std::string& unit = record.channels()[static_cast<std::size_t>(*channel)].unit;
    const double factor = column_factor(column, unit, compared[i].state.unit, study.notes);
    known.columns.push_back(compared[i].state.column);
    known.values.col(static_cast<Index>(i)) =
        at_samples(record, factor * record.values(column.column), study.time);
  }
  if (known.values.array().isFinite().rowwise().all().count() > 1) return;
  throw DataError(file.place, fmt::format("{}: {} has no times of the record, from {:.6g} s on",
                                          file.key, file.name, study.time.start()));
}

}  // namespace alembert::study
