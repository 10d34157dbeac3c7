#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "alembert/identify/alternatives.hpp"
#include "alembert/identify/experiment.hpp"
#include "alembert/signal/between_samples.hpp"

/// Other readings of the same columns: the slips that users make, whatever the model.
namespace alembert::identify {

/// A change of the records, and what it says of them.
struct Reading {
  std::string words;                                   ///< "y2 with the opposite sign"
  std::function<void(Experiments& data)> apply = {};   ///< empty: the records stay
  std::optional<signal::BetweenSamples> between = {};  ///< other inputs between the samples
  std::optional<std::size_t> omits = {};               ///< the experiment that is left out
};
using Readings = std::vector<Reading>;
using Channels = Eigen::MatrixXd Experiment::*;  ///< &Experiment::input or &Experiment::output

/// Each column with the opposite sign, and each two exchanged.
void add_signs_and_swaps(Channels part, const std::vector<std::string>& names, Readings& readings);

/// Inputs and outputs exchanged, where there are as many of both.
void add_exchange(std::size_t inputs, std::size_t outputs, Readings& readings);

/// Each column times each of these factors.
void add_units(Channels part, const std::vector<std::string>& names,
               const std::vector<double>& factors, Readings& readings);

/// All outputs so many samples late (negative: early), and one output of several.
/// @param cyclic records are one period of a motion: nothing is cut off.
void add_delays(const std::vector<std::string>& outputs, const std::vector<Eigen::Index>& all,
                const std::vector<Eigen::Index>& one, bool cyclic, Readings& readings);

/// With three experiments or more, one that contradicts the others can be told.
void add_omissions(std::size_t experiments, Readings& readings);

/// The first samples of each experiment, `most` in all and `least` of each at least; of the first
/// experiments only where there are very many.
[[nodiscard]] Experiments first_samples(const Experiments& data, Eigen::Index most,
                                        Eigen::Index least);

/// Mean over the outputs of ln(σ²/variance of the output), which no unit changes; infinite if it is
/// not known.
/// @param residual rms of what is left of each output.
[[nodiscard]] double relative_misfit(const Experiments& data, const Eigen::VectorXd& residual);

/// Counts what an omission gains by the other experiments alone: one that is noisier than they are
/// contradicts none of them.
/// @param residuals of the data as given; empty where nothing was found.
/// @param misfits those of clearly_better(), which are changed.
void count_on_the_others(const Experiments& data, const std::vector<Eigen::MatrixXd>& residuals,
                         const Readings& readings, std::vector<double>& misfits);

/// Those that lower -2 log(likelihood) of white residuals by 50 at least and their variance by a
/// sixth, the best three first.
/// @param misfits relative_misfit() of the columns as given, then of each reading.
/// @param samples of all experiments.
[[nodiscard]] std::vector<Alternative> clearly_better(const Readings& readings,
                                                      const std::vector<double>& misfits,
                                                      double samples);

}  // namespace alembert::identify
