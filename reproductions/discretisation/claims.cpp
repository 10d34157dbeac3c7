#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "reproductions/discretisation/parts.hpp"

namespace alembert::reproductions::discretisation {

namespace {

const char* const kRounding = "own promise: (2.10) undoes (2.8) up to rounding";
const char* const kProposition = "Bruschetta2014, proposition 1: equal";
const char* const kPassive = "Bruschetta2014, section 3: passivity and stability are kept";

// The largest of a number over the rows of one system; NaN wins, so that it cannot be missed.
template <typename Rows, typename Number>
double largest(const Rows& rows, const std::string& system, const Number& number) {
  double worst = -std::numeric_limits<double>::infinity();
  for (const auto& row : rows) {
    if (row.system == system && !(number(row) <= worst)) {
      worst = number(row);
    }
  }
  return worst;
}

template <typename Rows>
bool has_rows(const Rows& rows, const std::string& system) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const auto& row) { return row.system == system; });
}

void add_orders(const Result& result, std::vector<Claim>& claims) {
  for (const IntegratorConvergence& row : result.convergence) {
    // 5 % of the order: the measured slope still holds a part of the next term of the series.
    Claim claim{.name = fmt::format("order of {}, {}", row.integrator, row.system),
                .measured = row.convergence.order,
                .target = fmt::format(">= {:.4g}", 0.95 * row.expected),
                .source = "own promise: order of the method and of the hold"};
    if (row.integrator == "variational midpoint") {
      claim.published = 2.0;
      claim.target = within(row.expected, 0.05);
      claim.source = "Bruschetta2014, section 2";
      claims.push_back(compared(std::move(claim)));
    } else {
      claims.push_back(promised(std::move(claim)));
    }
  }
}

void add_structure(const Result& result, const std::string& system, std::vector<Claim>& claims) {
  const auto add = [&](const char* name, double measured, const char* target, const char* source,
                       Claim (*kind)(Claim)) {
    claims.push_back(kind({.name = fmt::format("{}, {}", name, system),
                           .measured = measured,
                           .target = target,
                           .source = source}));
  };
  // After a stop request a table may have no rows, and then there is nothing to claim.
  if (has_rows(result.round_trip, system)) {
    add("round trip of M, D, K, relative error",
        largest(result.round_trip, system,
                [](const RoundTrip& r) { return r.relative.maxCoeff(); }),
        "<= 1e-14", kRounding, promised);
    add("round trip through single doubles, error relative to M/h",
        largest(result.round_trip, system, [](const RoundTrip& r) { return r.plain_scaled; }),
        "<= 1e-14", kRounding, promised);
  }
  if (has_rows(result.tustin, system)) {
    add("variational - Tustin transfer on the unit circle, relative",
        largest(result.tustin, system, [](const TustinEquality& r) { return r.on_circle; }),
        "<= 1e-12", kProposition, compared);
    add("variational - Tustin transfer outside, relative",
        largest(result.tustin, system, [](const TustinEquality& r) { return r.outside; }),
        "<= 1e-12", kProposition, compared);
  }
  if (has_rows(result.passivity, system)) {
    add("residual of the discrete energy balance, relative",
        largest(result.passivity, system, [](const PassivityRow& r) { return r.balance; }),
        "<= 1e-12", kPassive, compared);
    add("1 - spectral radius, smallest for steps up to 1e6 s",
        1.0 - largest(result.passivity, system,
                      [](const PassivityRow& r) { return r.spectral_radius; }),
        "> 0", kPassive, compared);
    add("smallest real part of the mobility on the unit circle, relative",
        -largest(result.passivity, system, [](const PassivityRow& r) { return -r.mobility; }),
        ">= -1e-12", kPassive, compared);
  }
}

void add_energy(const Result& result, std::vector<Claim>& claims) {
  for (const EnergyRow& row : result.energy) {
    const auto add = [&](const char* name, double measured, const std::string& target) {
      claims.push_back(promised({.name = fmt::format("{}, {}", name, row.integrator),
                                 .measured = measured,
                                 .target = target,
                                 .source = "own promise: energy kept by the method, rounding"}));
    };
    const double swing = std::max(std::abs(row.lowest), std::abs(row.highest));
    if (row.integrator == "Newmark 1/6, 1/2") {
      // (ω_max h)²/12 = 0.0035 for the fastest mode alone, both ways
      add("largest change of energy", swing, "<= 0.004");
      add("drift of energy", std::abs(row.drift), "<= 1e-4");
    } else if (row.integrator == "Newmark 0.3025, 0.6") {
      add("energy left at the end", row.end, "<= 1e-6");
    } else {
      // Rounding of 2n products a step, added up at worst.
      add("largest change of energy", swing,
          fmt::format("<= {:.1e}", 16 * 2.2e-16 * static_cast<double>(row.steps)));
    }
  }
}

}  // namespace

std::vector<std::string> systems_of(const Result& result) {
  std::vector<std::string> systems;
  const auto add = [&](const auto& rows) {
    for (const auto& row : rows) {
      if (std::find(systems.begin(), systems.end(), row.system) == systems.end()) {
        systems.push_back(row.system);
      }
    }
  };
  add(result.convergence);
  add(result.round_trip);
  add(result.tustin);
  add(result.passivity);
  return systems;
}

std::vector<Claim> claims_of(const Result& result) {
  std::vector<Claim> claims;
  add_orders(result, claims);
  for (const std::string& system : systems_of(result)) {
    add_structure(result, system, claims);
  }
  add_energy(result, claims);
  return claims;
}

}  // namespace alembert::reproductions::discretisation
