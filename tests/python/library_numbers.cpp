// library_numbers STUDY: the arrays of a study through the function of the library that does its
// task, called from C++; prints the numbers found in hexadecimal. studies_test.py holds them
// against those of the tool and of Python.
#include <fmt/core.h>

#include <span>

#include "alembert/study/acceleration.hpp"
#include "alembert/study/identify.hpp"
#include "alembert/study/observe.hpp"
#include "alembert/study/output_error.hpp"
#include "alembert/study/study.hpp"

namespace {

using namespace alembert;

void print_numbers(std::span<const double> values) {
  for (const double value : values) fmt::print("{:a}\n", value);
}

template <typename Array>
void print_array(const Array& array) {
  print_numbers({array.data(), static_cast<std::size_t>(array.size())});
}

template <typename Study>
const Study* held(const study::LoadedStudy& loaded) {
  const auto* found = dynamic_cast<const study::StudyOf<Study>*>(loaded.study.get());
  return found == nullptr ? nullptr : &found->study;
}

bool compute(const study::LoadedStudy& loaded) {
  if (const auto* one = held<study::IdentifyStudy>(loaded)) {
    const auto fit = identify::identify_linear(one->data.experiments, one->validation.experiments,
                                               one->settings);
    print_array(fit.refinement.system.M);
    print_array(fit.refinement.system.K);
    print_array(fit.deviations.K);
  } else if (const auto* two = held<study::OutputErrorStudy>(loaded)) {
    const auto fit = identify::fit_equations(two->equations, two->setup, two->parameters,
                                             two->data.experiments, two->options);
    print_array(fit.estimate.parameters);
    print_array(fit.estimate.trusted().deviations);
  } else if (const auto* three = held<study::AccelerationStudy>(loaded)) {
    const auto fit =
        identify::identify_acceleration(*three->equation, three->records, three->options);
    print_array(fit.records.front().regression.parameters);
    print_array(fit.records.front().regression.deviations);
  } else if (const auto* four = held<study::ObserveStudy>(loaded)) {
    estimate::ObserveOptions options = four->options;
    options.given = {.coordinates = true, .velocities = true, .accelerations = true};
    const auto found =
        estimate::observe(four->mechanism, four->time.times(), four->readings, options);
    print_array(Eigen::VectorXd(found.estimate.mean.bottomRows(1).transpose()));
    print_array(Eigen::VectorXd(found.estimate.deviation.bottomRows(1).transpose()));
  } else {
    return false;
  }
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const study::LoadedStudy loaded = study::load_study(arguments[1]);
  if (!loaded.problems.empty()) {
    fmt::print(stderr, "{}\n", to_string(loaded.problems.front()));
    return 2;
  }
  return compute(loaded) ? 0 : 2;
}
