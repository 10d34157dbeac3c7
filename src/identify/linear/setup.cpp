#include "identify/linear/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/identify/partial_sensing.hpp"
#include "identify/refine/problem_checks.hpp"

namespace alembert::identify {
namespace {

constexpr const char* kCall = "identify_linear";

Eigen::Index coordinate_count(const LinearOptions& options, Eigen::Index outputs) {
  check::at_least(kCall, "degrees_of_freedom", options.degrees_of_freedom, 0);
  for (const Eigen::Index n :
       {options.degrees_of_freedom, options.L.rows(), options.outputs.displacement.cols(),
        options.unknowns.degrees_of_freedom, options.nominal ? options.nominal->M.rows() : 0}) {
    if (n > 0) return n;
  }
  return outputs;
}

// One force per coordinate, where nothing else is said.
Eigen::MatrixXd complete_forces(const Eigen::MatrixXd& given, Eigen::Index n, Eigen::Index m) {
  if (given.size() > 0) {
    check::shape(kCall, "L", given, n, m);
    check::all_finite(kCall, "L", given);
    return given;
  }
  if (m != n) {
    throw InvalidInput({.function = kCall,
                        .argument = "L",
                        .rule = fmt::format("must say which of the {} coordinates the {} input{} "
                                            "drive{}",
                                            n, m, m == 1 ? "" : "s", m == 1 ? "s" : "")});
  }
  return Eigen::MatrixXd::Identity(n, n);
}

model::OutputMap complete_outputs(const model::OutputMap& given, Eigen::Index n, Eigen::Index p) {
  if (given.displacement.size() > 0) {
    model::check_outputs(kCall, given, n);
    check::size(kCall, "outputs", given.outputs(), p);
    return given;
  }
  if (p != n) {
    throw InvalidInput({.function = kCall,
                        .argument = "outputs",
                        .rule = fmt::format("must say what the {} output{} of the records see{} "
                                            "of {} coordinates",
                                            p, p == 1 ? "" : "s", p == 1 ? "s" : "", n)});
  }
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(n, n);
  return {Eigen::MatrixXd::Identity(n, n), none, none};
}

void complete_names(std::string_view argument, const std::string& letter, Eigen::Index count,
                    std::vector<std::string>& names) {
  if (!names.empty()) {
    check::size(kCall, argument, static_cast<long long>(names.size()), count);
    return;
  }
  for (Eigen::Index i = 1; i <= count; ++i) names.push_back(letter + std::to_string(i));
}

void check_known_matrices(const std::string& name, const std::optional<Matrices>& matrices,
                          Eigen::Index n) {
  if (!matrices) return;
  check::shape(kCall, name + ".M", matrices->M, n, n);
  check::shape(kCall, name + ".D", matrices->D, n, n);
  check::shape(kCall, name + ".K", matrices->K, n, n);
}

void complete_options(const Experiment& first, LinearOptions& options) {
  const Eigen::Index m = first.input.cols();
  const Eigen::Index p = first.output.cols();
  const Eigen::Index n = coordinate_count(options, p);
  options.degrees_of_freedom = n;
  options.L = complete_forces(options.L, n, m);
  options.outputs = complete_outputs(options.outputs, n, p);
  if (options.unknowns.degrees_of_freedom == 0) options.unknowns = free_matrices(n);
  complete_names("names.coordinates", "q", n, options.names.coordinates);
  complete_names("names.inputs", "u", m, options.names.inputs);
  complete_names("names.outputs", "y", p, options.names.outputs);
  check_known_matrices("nominal", options.nominal, n);
  check_known_matrices("truth", options.truth, n);
}

// Free matrices can only be told if every coordinate is sensed or driven and one is both.
void check_coverage(const LinearOptions& options) {
  if (!all_entries_free(options.unknowns)) return;
  const Coverage covered = coverage(options.L, options.outputs, options.names.coordinates);
  if (covered.identifiable) return;
  throw InvalidInput(
      {.function = kCall,
       .rule = "M, D and K cannot be found from these sensors and forces: " + covered.advice});
}

void check_held_back(const Experiments& held_back, const Experiment& first) {
  if (held_back.empty()) return;
  check_experiments(kCall, held_back);
  const Experiment& one = held_back.front();
  if (one.input.cols() == first.input.cols() && one.output.cols() == first.output.cols()) return;
  throw InvalidInput({.function = kCall,
                      .argument = "held_back",
                      .rule = fmt::format("must have the {} inputs and {} outputs of the "
                                          "experiments",
                                          first.input.cols(), first.output.cols()),
                      .value = fmt::format("{} and {}", one.input.cols(), one.output.cols())});
}

// The records of some outputs only, in the given order.
Experiments with_outputs(const Experiments& data, const std::vector<Eigen::Index>& outputs) {
  std::vector<Eigen::Index> all(static_cast<std::size_t>(data.front().output.cols()));
  std::iota(all.begin(), all.end(), 0);
  if (outputs.empty() || outputs == all) return {};
  Experiments selected;
  for (const Experiment& experiment : data) {
    selected.push_back({.input = experiment.input,
                        .output = experiment.output(Eigen::all, outputs),
                        .step = experiment.step});
  }
  return selected;
}

}  // namespace

LinearSetup linear_setup(const Experiments& data, const Experiments& held_back,
                         const LinearOptions& options) {
  check_experiments(kCall, data);
  check_held_back(held_back, data.front());
  LinearSetup setup{.data = data, .options = options};
  LinearOptions& all = setup.options;
  complete_options(data.front(), all);
  setup.problem = {all.L, all.outputs, all.unknowns};
  check_problem(kCall, setup.problem, all.refinement);
  setup.chosen = choose_start(all);
  check_compared(all);
  check_coverage(all);
  setup.like = like_outputs(all.outputs);
  setup.selected = with_outputs(data, setup.like.outputs);
  return setup;
}

}  // namespace alembert::identify
