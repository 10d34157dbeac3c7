#include "reproductions/two_link/two_link.hpp"

#include <fmt/format.h>

#include "reproductions/two_link/claims.hpp"

namespace alembert::reproductions::two_link {
namespace {

constexpr int kFormulaStates = 200;

Rows planned_rows(const Lab& lab) {
  Rows rows;
  for (std::size_t test = 0; test < 2; ++test) {
    rows[test] = {error_rows(lab, test), encoder_rows(lab, test), gravity_rows(lab, test),
                  length_rows(lab, test)};
  }
  return rows;
}

std::vector<Row*> all_rows(Rows& rows) {
  std::vector<Row*> all;
  for (Parts& parts : rows) {
    for (auto* part : {&parts.errors, &parts.encoders, &parts.gravity, &parts.lengths}) {
      for (Row& row : *part) all.push_back(&row);
    }
  }
  return all;
}

template <typename Item>
void append(std::vector<Item>& to, const std::vector<Item>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// Every table and figure with the claims that rest on it.
void add_findings(const Lab& lab, const Rows& rows, int seeds, Reproduction& result) {
  const FormulaDifference difference = compare_formula(kFormulaStates);
  append(result.claims, rig_claims(difference, lab));
  result.tables.push_back(formula_table(difference));
  for (std::size_t test = 0; test < 2; ++test) {
    const DifferentiatorErrors differentiator = differentiator_errors(lab.level[test], seeds);
    append(result.claims, error_claims(rows[test], differentiator, test));
    result.tables.push_back(error_table(rows[test], differentiator, test));
    result.figures.push_back(elbow_figure(lab, rows, test, true));
    result.figures.push_back(elbow_figure(lab, rows, test, false));
    result.figures.push_back(elbow_error_figure(lab, rows, test));
  }
  append(result.claims, consistency_claims(rows));
  append(result.claims, gravity_claims(lab, rows));
  append(result.claims, length_claims(rows));
  append(result.tables,
         {consistency_table(rows), gravity_table(rows), length_table(rows), level_table(lab)});
}

Reproduction& stopped(Reproduction& result) {
  result.status = Status::Stopped;
  result.message = "stopped on request; no claim is made";
  return result;
}

}  // namespace

Reproduction run(const ReproduceOptions& options) {
  const int seeds = options.full ? 12 : 2;
  Reproduction result;
  result.name = "two-link";
  result.title = "Observers of two links: shoulder driven, elbow passive";
  result.summary = fmt::format(
      "The published rig has two links in a level plane, encoders of 1000 counts a turn in both "
      "joints and an accelerometer across each link. Its records and lengths are not public: both "
      "tests are simulated here, so that the truth is known. Links of 0.30 m and 0.25 m, 1.0 kg "
      "and 0.5 kg, accelerometers at 0.25 m and 0.20 m with noise of 0.03 m/s^2 and steps of 0.003 "
      "and 0.045 m/s^2, elbow friction of 0.01 N m and 0.002 N m s, 1 kHz. Test 1: 10 s, a servo "
      "of 12 N m/rad holds the shoulder against half-sine torques of 8 N m and 40 ms every 2 s. "
      "Test 2: 9 s, the shoulder follows a sine of 0.05 rad from 10 Hz down to 1 Hz. {} seeds.",
      seeds);
  result.source = "MultibodyThesis (docs/references.md), section 2.3.2";
  Lab lab;
  if (!prepare(lab, options.parallel)) return stopped(result);
  Rows rows = planned_rows(lab);
  if (!score_rows(all_rows(rows), seeds, options.parallel)) return stopped(result);
  add_findings(lab, rows, seeds, result);
  return result;
}

}  // namespace alembert::reproductions::two_link
