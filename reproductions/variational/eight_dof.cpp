#include <fmt/format.h>

#include <cmath>

#include "reproductions/published_systems.hpp"
#include "reproductions/variational/method_comparison.hpp"
#include "reproductions/variational/variational.hpp"

namespace alembert::reproductions::variational {

namespace {

using enum Estimator;

constexpr Eigen::Index kFrameSamples = 3300;
constexpr double kFrameSnr = 20.0;
constexpr double kFrameKnots = 0.05;
constexpr double kFrameBase = 5e-4;  // divides every step and the knot distance

ComparisonCase frame_case(double step, bool white) {
  LinearCase linear{.system = frame_8dof(),
                    .outputs = all_displacements(frame_8dof()),
                    .step = step,
                    .samples = kFrameSamples,
                    .snr_db = kFrameSnr};
  if (!white) {
    linear.spacing = kFrameKnots;
    linear.base_step = kFrameBase;
  }
  return {fmt::format("{:g} ms", 1e3 * step), linear};
}

ComparisonPlan frame_plan(bool white, bool full) {
  ComparisonPlan plan;
  plan.id = white ? "white" : "smooth";
  plan.title = white ? "white force samples" : "smooth forces, knots every 50 ms";
  plan.methods = {Rival, RivalStatic,  PublishedStart, PublishedMidpoint,
                  Weak,  WeakMidpoint, WeakExact};
  plan.runs = full ? 50 : 20;
  plan.seed = white ? 8002 : 8001;
  const std::vector<double> all{1e-3, 2e-3, 3e-3, 5e-3, 7.5e-3, 1e-2};
  for (const double step : full ? all : std::vector<double>{2e-3, 1e-2}) {
    plan.cases.push_back(frame_case(step, white));
  }
  return plan;
}

// The factor by which the exact refinement must beat subspace + logarithm (M and K, D).
Eigen::Vector2d least_gain(double step) {
  if (step < 1.5e-3) return {10.0, 10.0};
  if (step < 2.5e-3) return {4.0, 4.0};
  if (step < 4e-3) return {2.5, 2.5};
  return {1.5, 2.2};
}

class FrameClaims {
 public:
  FrameClaims(const ComparisonPlan& plan, const std::vector<ComparisonCell>& cells,
              std::vector<Claim>& claims)
      : plan_(plan), cells_(cells), claims_(claims) {}

  void add() {
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      if (cells_[c].runs == plan_.runs) {
        add_case(plan_.cases[c], cells_[c]);
      }
    }
  }

 private:
  void claim(const ComparisonCase& one, const std::string& what, double measured,
             const std::string& target) {
    claims_.push_back(
        make_claim(fmt::format("{}, {}, {}", what, plan_.id, one.label), measured, "", target));
  }

  void add_case(const ComparisonCase& one, const ComparisonCell& cell) {
    const double step = one.linear.step;
    const Eigen::Vector3d exact = cell.over_bound(index_of(plan_, WeakExact));
    const Eigen::Vector3d midpoint = cell.over_bound(index_of(plan_, WeakMidpoint));
    const Eigen::Vector3d weak = cell.over_bound(index_of(plan_, Weak));
    // The scatter of an rms over R runs falls with √R: 1.2 for 20 runs, 1.12 for 100.
    const char* exact_rule = plan_.runs >= 50 ? "<= 1.15" : "<= 1.2";
    claim(one, "largest rms error over bound of M, D, K, exact refinement", exact.maxCoeff(),
          exact_rule);
    claim(one, "largest rms error over bound of M, D, K, midpoint refinement", midpoint.maxCoeff(),
          step < 6e-3 ? "<= 1.2" : "<= 1.35");
    claim(one, "largest rms error over bound of M, D, K, weak form", weak.maxCoeff(), "<= 2.5");
    const auto runs = static_cast<double>(cell.runs);
    claim(one, "share of exact refinements from the weak form at the optimum",
          static_cast<double>(at_optimum(plan_, cell, WeakExact)) / runs, "== 1");
    claim(one, "most iterations of the exact refinement",
          cell.summaries[index_of(plan_, WeakExact)].most_iterations, "<= 10");
    add_gains(one, cell);
    add_published(one, cell);
  }

  void add_gains(const ComparisonCase& one, const ComparisonCell& cell) {
    const Eigen::Vector3d gain = cell.summaries[index_of(plan_, Rival)].mean.cwiseQuotient(
        cell.summaries[index_of(plan_, WeakExact)].mean);
    const Eigen::Vector2d least = least_gain(one.linear.step);
    claim(one, "error of subspace + logarithm over exact refinement, M", gain[0],
          fmt::format(">= {:g}", least[0]));
    claim(one, "error of subspace + logarithm over exact refinement, D", gain[1],
          fmt::format(">= {:g}", least[1]));
    claim(one, "error of subspace + logarithm over exact refinement, K", gain[2],
          fmt::format(">= {:g}", least[0]));
  }

  // The paper's statement that its start beats subspace + logarithm is not reproduced when both
  // use the same subspace step: the ratio is near one for white samples and above for smooth
  // forces.
  void add_published(const ComparisonCase& one, const ComparisonCell& cell) {
    if (one.linear.step < 1.5e-3) {
      return;  // both useless there
    }
    const Eigen::Vector3d ratio =
        cell.summaries[index_of(plan_, PublishedStart)].mean.cwiseQuotient(
            cell.summaries[index_of(plan_, Rival)].mean);
    claim(one,
          "published start over subspace + logarithm, D (the paper says below 1; not reproduced)",
          ratio[1], ">= 0.8");
    claim(one, "published method over exact refinement from the weak form, D",
          cell.summaries[index_of(plan_, PublishedMidpoint)].mean[1] /
              cell.summaries[index_of(plan_, WeakExact)].mean[1],
          "0.9 .. 1.2");
  }

  const ComparisonPlan& plan_;
  const std::vector<ComparisonCell>& cells_;
  std::vector<Claim>& claims_;
};

bool complete(const ComparisonPlan& plan, const std::vector<ComparisonCell>& cells) {
  for (const ComparisonCell& cell : cells) {
    if (cell.runs < plan.runs) {
      return false;
    }
  }
  return true;
}

}  // namespace

Reproduction run_eight_dof(const ReproduceOptions& options) {
  Reproduction result;
  result.name = "variational-8dof";
  result.title = "M, D, K of the frame with 8 degrees of freedom";
  result.source = "Bruschetta, Picci, Saccon, Automatica 50 (2014)";
  result.summary =
      "Simulated displacements of the published frame, 3300 samples at a signal-to-noise ratio of "
      "20 dB, new forces and noise in each run. Mean relative errors of the published method, of "
      "the method it was compared with, and of the weak form with refinement, next to the "
      "Cramer-Rao bound.";
  for (const bool white : {false, true}) {
    if (white && !options.full) {
      continue;
    }
    const ComparisonPlan plan = frame_plan(white, options.full);
    const std::vector<ComparisonCell> cells = compare_methods(plan, options.parallel);
    if (!complete(plan, cells)) {
      result.status = Status::Stopped;
      result.message = "stopped on request; claims of unfinished cases are missing";
    }
    append_tables(plan, cells, result.tables);
    append_figures(plan, cells, result.figures);
    FrameClaims(plan, cells, result.claims).add();
  }
  return result;
}

}  // namespace alembert::reproductions::variational
