#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "alembert/report/reduce_report.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/study_sections.hpp"
#include "report/tasks/reduce/mesh_drawing.hpp"

namespace alembert::report {
namespace {

using document::ResultTree;
using reduce::TradeOff;
using study::ReduceOutcome;

std::vector<std::pair<std::string, std::string>> reduce_facts(const ReduceOutcome& result) {
  return {{"coordinates", grouped(result.study.structure.size())},
          {"masters", grouped(static_cast<long long>(result.study.masters.size()))},
          {"small model", grouped(result.basis.size())},
          {"method", std::string(name_of(result.method))},
          {"status", std::string(to_string(result.status))}};
}

Section accuracy_section(const ReduceOutcome& result, const ResultTree& tree) {
  Section section{.title = "How right the small model is", .blocks = {}};
  if (!result.mode_errors.empty()) {
    section.blocks.push_back(with_rows(
        {.id = "modes",
         .title = "Target modes",
         .header = {},
         .caption = "NCO: normalised cross orthogonality, MAC in the mass matrix. Modes are paired "
                    "by the largest NCO"},
        tree.at("modes"),
        {{.path = "mode"},
         {.path = "frequency_hz", .digits = 6},
         {.path = "reduced_hz", .digits = 6},
         {.path = "frequency_error", .heading = "error [%]", .digits = 3, .factor = 100.0},
         {.path = "nco", .digits = 6},
         {.path = "mac", .digits = 6}}));
  }
  if (!result.response_errors.empty()) {
    section.blocks.push_back(with_rows(
        {.id = "responses",
         .title = "Forced responses",
         .header = {},
         .caption = "MAC between the responses of all coordinates; gain error of the master that "
                    "moves most. Exactness at a design frequency may be by construction: the rows "
                    "off it tell more"},
        tree.at("responses"),
        {{.path = "frequency_hz", .digits = 6},
         {.path = "design"},
         {.path = "mac", .digits = 6},
         {.path = "gain_error", .heading = "gain error [%]", .digits = 3, .factor = 100.0}}));
  }
  return section;
}

// One curve for each method over its sizes; a zero has no logarithm and is drawn at the floor.
Plot trade_off_plot(const ReduceOutcome& result, const std::string& id, const std::string& title,
                    double TradeOff::*figure, bool from_one) {
  constexpr double kFloor = 1e-14;
  Plot plot{.id = id,
            .title = title,
            .x_label = "size of the small model",
            .y_label = from_one ? "1 - " + title : title,
            .log_y = true};
  plot.title = from_one ? "1 - " + title + " against size" : title + " against size";
  for (const TradeOff& end : result.smallest) {
    std::vector<double> x;
    std::vector<double> y;
    for (const TradeOff& one : result.curve) {
      if (one.method != end.method) continue;
      const double value = from_one ? 1.0 - one.*figure : one.*figure;
      x.push_back(static_cast<double>(one.size));
      y.push_back(std::max(value, kFloor));
    }
    if (x.empty()) continue;
    const auto count = static_cast<Eigen::Index>(x.size());
    plot.curves.push_back({.name = std::string(name_of(end.method)),
                           .x = Eigen::Map<Eigen::VectorXd>(x.data(), count),
                           .y = Eigen::Map<Eigen::VectorXd>(y.data(), count),
                           .style = count == 1 ? Curve::Style::Points : Curve::Style::Line});
  }
  plot.caption = "Worst of all targets. Bases that are not nested are points";
  return plot;
}

Section trade_off_section(const ReduceOutcome& result, const ResultTree& tree) {
  Section section{.title = "How small it can be", .blocks = {}};
  std::vector<document::ResultColumn> columns = {{.path = "method"}, {.path = "size"}};
  if (!result.response_errors.empty()) columns.push_back({.path = "off_design_size"});
  section.blocks.push_back(with_rows(
      {.id = "sizes",
       .title = "Smallest size of each method",
       .header = {},
       .caption = "From this size on all that were looked at meet the wanted accuracy; -: none. "
                  "The scaling of interface-mass was not checked against its source"},
      tree.at("smallest"), columns));
  const auto add = [&](Plot plot) {
    if (!plot.curves.empty()) section.blocks.push_back(std::move(plot));
  };
  if (!result.mode_errors.empty()) {
    add(trade_off_plot(result, "frequency-trade-off", "Frequency error", &TradeOff::frequency_error,
                       false));
    add(trade_off_plot(result, "nco-trade-off", "NCO", &TradeOff::nco, true));
  }
  if (!result.response_errors.empty()) {
    add(trade_off_plot(result, "gain-trade-off", "Gain error", &TradeOff::gain_error, false));
    add(trade_off_plot(result, "off-design-trade-off", "Gain error off design",
                       &TradeOff::off_design_gain, false));
  }
  return section;
}

Section shape_section(const ReduceOutcome& result) {
  constexpr std::size_t kMostDrawn = 4;
  Section section{.title = "Target modes on the mesh", .blocks = {}};
  for (std::size_t i = 0; i < std::min(kMostDrawn, result.mode_errors.size()); ++i) {
    const reduce::ModeError& one = result.mode_errors[i];
    if (one.mode > result.modes.shapes.cols()) continue;
    const auto drawn = shape_animation(
        result.study.structure, result.modes.shapes.col(one.mode - 1),
        fmt::format("mode-{}", one.mode),
        fmt::format("Mode {} at {} Hz", one.mode, significant(one.frequency_hz, 5)));
    if (drawn) section.blocks.push_back(*drawn);
  }
  if (result.mode_errors.size() > kMostDrawn && !section.blocks.empty()) {
    section.blocks.push_back(Paragraph{fmt::format("The first {} of {} target modes are drawn.",
                                                   kMostDrawn, result.mode_errors.size())});
  }
  return section;
}

// MAC in the mass matrix between modes of the structure and those of the small model.
Section map_section(const ReduceOutcome& result) {
  if (result.modes.count() == 0 || result.basis.size() == 0) return {.title = "", .blocks = {}};
  constexpr Eigen::Index kMost = 40;
  const Eigen::Index full = std::min(kMost, result.modes.count());
  const reduce::StructureModes small = reduce::lowest_modes(
      result.basis.K.sparseView(), result.basis.M.sparseView(),
      std::min(result.basis.size(), kMost), {.dense_below = result.basis.size()});
  const Eigen::MatrixXd expanded = result.basis.H * small.shapes;
  const Eigen::MatrixXd products =
      result.modes.shapes.leftCols(full).transpose() * (result.study.structure.M * expanded);
  MatrixView view{.id = "nco-map",
                  .title = "NCO of modes of the structure (rows) and of the small model (columns)",
                  .values = products.cwiseAbs2(),
                  .row_names = {},
                  .column_names = {}};
  view.caption = "1: the same mode. Only the target modes are asked to be right";
  if (result.modes.count() > full || result.basis.size() > kMost) {
    view.caption += fmt::format(". The first {} of {} and of {} modes", kMost, result.modes.count(),
                                result.basis.size());
  }
  return {.title = "Modes against modes", .blocks = {view}};
}

Section ranking_section(const ReduceOutcome& result, const ResultTree& tree) {
  if (result.ranking.order.empty()) return {.title = "", .blocks = {}};
  return {
      .title = "Interior modes that matter",
      .blocks = {with_rows(
          {.id = "ranking",
           .title = "Interior modes by their share in the target modes",
           .header = {},
           .caption =
               fmt::format("Truncation bound: weighted share of all interior modes that are "
                           "left out at this size, of those that were ranked. Shown are {} "
                           "of {} interior modes",
                           tree.at("ranking").entries().size(), result.ranking.order.size())},
          tree.at("ranking"),
          {{.path = "size"},
           {.path = "interior_mode"},
           {.path = "frequency_hz", .digits = 5},
           {.path = "score", .digits = 3},
           {.path = "bound", .heading = "truncation bound [%]", .digits = 3, .factor = 100.0}})}};
}

std::string proof_sentence(const std::string& what, const reduce::StructureModes& modes) {
  if (modes.counted < 0) return fmt::format("{}: modes were not counted.", what);
  return fmt::format(
      "{}: {} up to {} Hz by the inertia of K - s M (Sylvester), {} found; largest residual {}.",
      what, count_of(modes.counted, "mode"), significant(modes.proven_to_hz, 6), modes.found,
      significant(modes.residual.size() > 0 ? modes.residual.maxCoeff() : 0.0, 2));
}

Section proof_section(const ReduceOutcome& result) {
  Section section{.title = "No mode is missing", .blocks = {}};
  if (result.modes.count() > 0) {
    section.blocks.push_back(Paragraph{proof_sentence("Whole structure", result.modes)});
  }
  section.blocks.push_back(Paragraph{proof_sentence("Interior, masters held", result.interior)});
  return section;
}

Section reduce_files(const ReduceOutcome& result) {
  std::vector<std::pair<std::string, std::string>> files = {
      {"mass.mtx", "M of the small model: masters first, then interior coordinates"},
      {"stiffness.mtx", "K of the small model"}};
  if (result.basis.D.size() > 0) files.emplace_back("damping.mtx", "D of the small model");
  files.emplace_back("basis.mtx", "the way back: x = basis * (masters, interior coordinates)");
  return files_section(files);
}

}  // namespace

Document reduce_document(const ReduceOutcome& result) {
  const study::ReduceStudy& study = result.study;
  Document document{.title = study.title,
                    .subtitle = fmt::format("Small model of {} out of {}",
                                            count_of(result.basis.size(), "coordinate"),
                                            grouped(study.structure.size())),
                    .facts = reduce_facts(result),
                    .sections = {}};
  const ResultTree tree = describe(result);
  for (Section section :
       {accuracy_section(result, tree), trade_off_section(result, tree), shape_section(result),
        map_section(result), ranking_section(result, tree), proof_section(result),
        asked_section(study.file, study.text, study.overrides), reduce_files(result)}) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace alembert::report
