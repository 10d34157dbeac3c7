#include <fmt/format.h>

#include <utility>

#include "reproductions/discretisation/parts.hpp"

namespace alembert::reproductions::discretisation {

namespace {

using Eigen::Index;

// Rows of one system, in the order of the result.
template <typename Row>
std::vector<const Row*> of_system(const std::vector<Row>& rows, const std::string& system) {
  std::vector<const Row*> selected;
  for (const Row& row : rows) {
    if (row.system == system) {
      selected.push_back(&row);
    }
  }
  return selected;
}

// Fills a table row by row.
template <typename Row, typename Numbers>
void fill(Table& table, const std::vector<const Row*>& rows, const Numbers& numbers) {
  table.values.resize(static_cast<Index>(rows.size()), static_cast<Index>(table.header.size()) - 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double> values = numbers(*rows[i]);
    for (std::size_t j = 0; j < values.size(); ++j) {
      table.values(static_cast<Index>(i), static_cast<Index>(j)) = values[j];
    }
  }
}

Table order_table(const std::vector<const IntegratorConvergence*>& rows,
                  const std::string& system) {
  Table table{.id = "orders-" + system,
              .title = "Order of convergence, " + system,
              .header = {"integrator", "order in theory", "order measured"},
              .rows = {},
              .values = {}};
  for (const double step : rows.front()->convergence.steps) {
    table.header.push_back(fmt::format("error, h = {:.4g} s", step));
  }
  for (const IntegratorConvergence* row : rows) {
    table.rows.push_back({row->integrator});
  }
  fill(table, rows, [](const IntegratorConvergence& row) {
    std::vector<double> values{row.expected, row.convergence.order};
    values.insert(values.end(), row.convergence.errors.begin(), row.convergence.errors.end());
    return values;
  });
  table.caption =
      "Largest error of a displacement relative to the largest displacement, against a closed "
      "form: steady state under five cosines up to the highest natural frequency; for the Gauss "
      "methods free decay of all modes under a cubic force. The order is the slope over the three "
      "smallest steps whose error is above rounding (1e-12).";
  return table;
}

Plot order_figure(const std::vector<const IntegratorConvergence*>& rows,
                  const std::string& system) {
  Plot figure{.id = "orders-" + system,
              .title = "Error against step, " + system,
              .x_label = "step [s]",
              .y_label = "relative error [-]",
              .log_x = true,
              .log_y = true,
              .curves = {}};
  for (const IntegratorConvergence* row : rows) {
    figure.curves.push_back(
        {.name = row->integrator, .x = row->convergence.steps, .y = row->convergence.errors});
  }
  return figure;
}

template <typename Row>
std::vector<std::vector<std::string>> step_labels(const std::vector<const Row*>& rows) {
  std::vector<std::vector<std::string>> labels;
  for (const Row* row : rows) labels.push_back({fmt::format("{:.4g}", row->step)});
  return labels;
}

Table round_trip_table(const std::vector<const RoundTrip*>& rows, const std::string& system) {
  Table table{.id = "round-trip-" + system,
              .title = "Round trip of the variational map, " + system,
              .header = {"step [s]", "M", "D", "K", "M, single doubles", "D, single doubles",
                         "K, single doubles", "single doubles, relative to M/h"},
              .rows = step_labels(rows),
              .values = {}};
  fill(table, rows, [](const RoundTrip& row) {
    return std::vector<double>{row.relative(0), row.relative(1), row.relative(2), row.plain(0),
                               row.plain(1),    row.plain(2),    row.plain_scaled};
  });
  table.caption =
      "Relative errors in the Frobenius norm. The map keeps the rounding error of each entry of "
      "Md, Dd, Kd in a second double. With single doubles K is a small difference of terms M/h "
      "and loses the digits below eps/(omega h)^2, although each term is exact to eps of M/h.";
  return table;
}

Table tustin_table(const std::vector<const TustinEquality*>& rows, const std::string& system) {
  Table table{.id = "tustin-" + system,
              .title = "Variational transfer function and Tustin transform, " + system,
              .header = {"step [s]", "|z| = 1", "|z| = 1.01 to 10"},
              .rows = step_labels(rows),
              .values = {}};
  fill(table, rows, [](const TustinEquality& row) {
    return std::vector<double>{row.on_circle, row.outside};
  });
  table.caption = "Largest relative difference in the Frobenius norm.";
  return table;
}

Table passivity_table(const std::vector<const PassivityRow*>& rows, const std::string& system) {
  Table table{.id = "passivity-" + system,
              .title = "Stability and passivity of the variational midpoint rule, " + system,
              .header = {"step [s]", "spectral radius", "energy balance, relative residual",
                         "mobility, smallest real part, relative"},
              .rows = step_labels(rows),
              .values = {}};
  fill(table, rows, [](const PassivityRow& row) {
    return std::vector<double>{row.spectral_radius, row.balance, row.mobility};
  });
  table.caption =
      "Energy balance: 1000 steps under a force that changes at every sample. Mobility: smallest "
      "eigenvalue of the Hermitian part of the driving-point mobility on the unit circle, over "
      "its largest norm; not negative means passive.";
  return table;
}

Table energy_table(const std::vector<EnergyRow>& rows) {
  Table table{.id = "energy",
              .title = "Energy of the undamped frame in free motion",
              .header = {"integrator", "min E/E0 - 1", "max E/E0 - 1", "E/E0 at the end",
                         "drift, last less first tenth"},
              .rows = {},
              .values = {}};
  std::vector<const EnergyRow*> pointers;
  for (const EnergyRow& row : rows) {
    table.rows.push_back({row.integrator});
    pointers.push_back(&row);
  }
  fill(table, pointers, [](const EnergyRow& row) {
    return std::vector<double>{row.lowest, row.highest, row.end, row.drift};
  });
  table.caption = fmt::format("{} steps of {} s; highest natural frequency times step: 0.2.",
                              rows.front().steps, rows.front().step);
  return table;
}

void add_system(const Result& result, const std::string& system, Reproduction& reproduction) {
  // After a stop request some have no rows.
  const auto add = [&](const auto& rows, const auto& make_table) {
    if (!rows.empty()) {
      reproduction.tables.push_back(make_table(rows, system));
    }
  };
  const auto orders = of_system(result.convergence, system);
  add(orders, order_table);
  if (!orders.empty()) {
    reproduction.figures.push_back(order_figure(orders, system));
  }
  add(of_system(result.round_trip, system), round_trip_table);
  add(of_system(result.tustin, system), tustin_table);
  add(of_system(result.passivity, system), passivity_table);
}

}  // namespace

Reproduction to_reproduction(const Result& result) {
  Reproduction reproduction;
  reproduction.status = result.status;
  reproduction.message = result.message;
  reproduction.name = "discretisation";
  reproduction.title = "Discretisation of linear mechanical systems";
  reproduction.summary =
      "Orders of convergence of all integrators against closed forms, the round trip of the "
      "variational midpoint map, its equality with the Tustin transform, its passivity, and the "
      "energy behaviour of every integrator, on the two systems of the publication.";
  reproduction.source =
      "M. Bruschetta, G. Picci, A. Saccon: A variational integrators approach to second order "
      "modeling and identification of linear mechanical systems. Automatica 50 (2014).";
  reproduction.claims = result.claims;
  for (const std::string& system : systems_of(result)) {
    add_system(result, system, reproduction);
  }
  if (!result.energy.empty()) {
    reproduction.tables.push_back(energy_table(result.energy));
  }
  return reproduction;
}

}  // namespace alembert::reproductions::discretisation
