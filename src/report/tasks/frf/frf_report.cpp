#include "alembert/report/frf_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "report/page/vocabulary.hpp"
#include "report/parts/study_sections.hpp"

namespace alembert::report {
namespace {

using document::ResultTree;
using Eigen::Index;
using Eigen::VectorXd;
using study::FrfAverage;
using study::FrfOutcome;

constexpr std::size_t kMostFrfPairs = 24;

struct FrfPair {
  Index output = 0, input = 0;
  std::string name = {}, unit = {};
};

std::vector<FrfPair> frf_pairs(const FrfOutcome& result) {
  const study::FrfStudy& study = result.study;
  std::vector<FrfPair> pairs;
  for (std::size_t j = 0; j < study.inputs.size(); ++j) {
    for (std::size_t o = 0; o < study.outputs.size(); ++o) {
      pairs.push_back(
          {.output = static_cast<Index>(o),
           .input = static_cast<Index>(j),
           .name = study.outputs[o].name + " / " + study.inputs[j].name,
           .unit = quotient_unit(study.outputs[o].known_unit(), study.inputs[j].known_unit())});
    }
  }
  return pairs;
}

// Nothing is left out without a word.
std::vector<FrfPair> shown_pairs(const FrfOutcome& result, std::string& caption) {
  std::vector<FrfPair> pairs = frf_pairs(result);
  if (pairs.size() > kMostFrfPairs) {
    caption += fmt::format(". The first {} of {} pairs of response and input", kMostFrfPairs,
                           pairs.size());
    pairs.resize(kMostFrfPairs);
  }
  return pairs;
}

// One number for each line.
template <typename Of>
VectorXd over_lines(const FrfOutcome& result, const Of& of) {
  VectorXd values(result.found.frequencies_hz.size());
  for (Index k = 0; k < values.size(); ++k) values(k) = of(static_cast<std::size_t>(k));
  return values;
}

std::string average_words(const FrfOutcome& result) {
  const signal::Averaging& averaging = result.found.averaging;
  switch (result.study.settings.average) {
    case FrfAverage::Segments:
      return fmt::format("{} segments, resolution {} Hz", averaging.segments,
                         significant(averaging.resolution_hz, 3));
    case FrfAverage::Periods:
      return fmt::format("{} periods", averaging.segments);
    case FrfAverage::Local:
      return fmt::format("local polynomials of degree {}, lines {} Hz apart",
                         result.study.settings.local.degree,
                         significant(averaging.resolution_hz, 3));
  }
  return {};
}

Plot magnitude_plot(const FrfOutcome& result) {
  Plot plot{.id = "magnitude",
            .title = "Frequency responses",
            .x_label = "frequency [Hz]",
            .y_label = "magnitude",
            .log_y = true,
            .curves = {},
            .caption = "From " + average_words(result) +
                       ". Bands: two standard deviations above and below"};
  for (const FrfPair& pair : shown_pairs(result, plot.caption)) {
    const VectorXd size = over_lines(result, [&](std::size_t k) {
      return std::abs(result.found.response[k](pair.output, pair.input));
    });
    const VectorXd spread = over_lines(result, [&](std::size_t k) {
      return result.found.magnitude_deviation[k](pair.output, pair.input);
    });
    const VectorXd& f = result.found.frequencies_hz;
    plot.curves.push_back(
        {.name = "estimate", .x = f, .y = size, .unit = pair.unit, .group = pair.name});
    if (!spread.array().isFinite().any()) continue;
    for (const double sign : {2.0, -2.0}) {
      // Below zero a logarithm has no place.
      const VectorXd edge = (size + sign * spread).unaryExpr([](double value) {
        return value > 0.0 ? value : std::numeric_limits<double>::quiet_NaN();
      });
      plot.curves.push_back({.name = sign > 0.0 ? "upper" : "lower",
                             .x = f,
                             .y = edge,
                             .style = Curve::Style::Faint,
                             .unit = pair.unit,
                             .group = pair.name});
    }
  }
  plot.visible = 2;
  return plot;
}

Plot phase_plot(const FrfOutcome& result) {
  Plot plot{.id = "phase",
            .title = "Phase of the frequency responses",
            .x_label = "frequency [Hz]",
            .y_label = "phase [deg]",
            .curves = {},
            .caption = "Between -180 and 180 degrees"};
  for (const FrfPair& pair : shown_pairs(result, plot.caption)) {
    plot.curves.push_back(
        {.name = pair.name,
         .x = result.found.frequencies_hz,
         .y = over_lines(result,
                         [&](std::size_t k) {
                           return 180.0 / std::numbers::pi *
                                  std::arg(result.found.response[k](pair.output, pair.input));
                         }),
         .style = Curve::Style::Points,
         .unit = "deg",
         .group = pair.name});
  }
  plot.visible = 2;
  return plot;
}

Plot coherence_plot(const FrfOutcome& result) {
  const bool several = result.study.inputs.size() > 1;
  Plot plot{.id = "coherence",
            .title = several ? "Multiple coherence" : "Coherence",
            .x_label = "frequency [Hz]",
            .y_label = "coherence",
            .curves = {},
            .caption = several
                           ? "Share of the power of a response that goes with all inputs together"
                           : "Share of the power of a response that goes with the input"};
  for (std::size_t o = 0; o < result.study.outputs.size() && o < kMostFrfPairs; ++o) {
    plot.curves.push_back({.name = result.study.outputs[o].name,
                           .x = result.found.frequencies_hz,
                           .y = result.found.multiple_coherence.col(static_cast<Index>(o)),
                           .group = result.study.outputs[o].name});
  }
  if (result.study.outputs.size() > kMostFrfPairs) {
    plot.caption +=
        fmt::format(". The first {} of {} responses", kMostFrfPairs, result.study.outputs.size());
  }
  plot.visible = 4;
  return plot;
}

Section frf_section(const FrfOutcome& result) {
  Section section{.title = "Frequency responses", .blocks = {}};
  section.blocks.push_back(magnitude_plot(result));
  section.blocks.push_back(phase_plot(result));
  if (result.study.settings.average != FrfAverage::Local) {
    section.blocks.push_back(coherence_plot(result));
  }
  for (const std::string& note : result.study.notes) section.blocks.push_back(Paragraph{note});
  return section;
}

Section pair_section(const ResultTree& tree) {
  return {.title = "Quality",
          .blocks = {with_rows({.id = "pairs",
                                .title = "Standard deviation of each response",
                                .header = {},
                                .caption = "Median over the lines, in per cent of |H|; from random "
                                           "errors, without leakage and bias"},
                               tree.at("responses"),
                               {{.path = "output"},
                                {.path = "input"},
                                {.path = "relative_deviation",
                                 .heading = "deviation [%]",
                                 .digits = 2,
                                 .factor = 100.0}})}};
}

}  // namespace

Document frf_document(const FrfOutcome& result) {
  const study::FrfStudy& study = result.study;
  const ResultTree tree = describe(result);
  Document document{
      .title = study.title,
      .subtitle = fmt::format("Frequency responses of {} to {}",
                              count_of(static_cast<long long>(study.outputs.size()), "response"),
                              count_of(static_cast<long long>(study.inputs.size()), "input")),
      .facts = {{"inputs", grouped(static_cast<long long>(study.inputs.size()))},
                {"responses", grouped(static_cast<long long>(study.outputs.size()))},
                {"lines", grouped(result.found.frequencies_hz.size())},
                {"rate", fmt::format("{:.6g} Hz", 1.0 / study.step)},
                {"status", std::string(to_string(result.status))}},
      .sections = {}};
  document.sections = {
      frf_section(result), pair_section(tree),
      asked_section(study.file, study.text, study.overrides),
      files_section({{"frf.csv", "frequency, real and imaginary part, deviation and coherence"},
                     {"frf.uff", "the responses as a universal file (dataset 58)"}})};
  return document;
}

}  // namespace alembert::report
