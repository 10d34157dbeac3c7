#include "study/parts/linear/read_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/io/table.hpp"
#include "core/mapped.hpp"
#include "study/parts/linear/read_matrix.hpp"
#include "study/parts/names.hpp"
#include "study/schema/check_keys.hpp"

namespace alembert::study {
namespace {

// As in model::check_second_order.
constexpr double kSymmetryTolerance = 1e-9;

// The entry itself where the matrix is written out; otherwise the key.
Place entry_place(const TableReader& model, const std::string& key, Eigen::Index row,
                  Eigen::Index column) {
  if (model.form(key) != kRows) {
    return model.place(key);
  }
  const Array& rows = *model.value(key)->array();
  const Array& entries = *rows[static_cast<std::size_t>(row)].array();
  return model.place_of(entries[static_cast<std::size_t>(column)].position);
}

void check_symmetric(const TableReader& model, const std::string& key, const Eigen::MatrixXd& A) {
  Eigen::Index row = 0;
  Eigen::Index column = 0;
  const double worst = (A - A.transpose()).cwiseAbs().maxCoeff(&row, &column);
  if (worst <= kSymmetryTolerance * A.cwiseAbs().maxCoeff()) {
    return;
  }
  if (row > column) {
    std::swap(row, column);
  }
  throw StudyError(entry_place(model, key, column, row),
                   fmt::format("{} must be symmetric, got {} at ({},{}) and {} at ({},{})",
                               model.name(key), shortest(A(row, column)), row + 1, column + 1,
                               shortest(A(column, row)), column + 1, row + 1));
}

Eigen::MatrixXd read_mass(const TableReader& model, const FileContext& files) {
  Eigen::MatrixXd M = read_matrix_key(model, "mass", files);
  if (M.rows() != M.cols() || M.rows() == 0) {
    model.fail("mass", "must be square, got " + size_text(M));
  }
  check_symmetric(model, "mass", M);
  const Definiteness judged = model::scaled_definiteness(M);
  if (!judged.positive_definite) {
    model.fail("mass", fmt::format("must be positive definite, its smallest eigenvalue is {:.6g}",
                                   judged.smallest));
  }
  return M;
}

Eigen::MatrixXd read_like_mass(const TableReader& model, const std::string& key,
                               const FileContext& files, Eigen::Index n) {
  Eigen::MatrixXd matrix = read_matrix_key(model, key, files);
  if (matrix.rows() != n || matrix.cols() != n) {
    model.fail(key, fmt::format("must be {} x {} like {}, got {}", n, n, model.name("mass"),
                                size_text(matrix)));
  }
  check_symmetric(model, key, matrix);
  return matrix;
}

Eigen::MatrixXd damping_from_ratios(const TableReader& damping, const model::SecondOrder& system) {
  const Eigen::Index n = system.degrees_of_freedom();
  const bool one_for_all = damping.form("ratios") == kNumber;
  const Eigen::VectorXd ratios = one_for_all
                                     ? Eigen::VectorXd::Constant(n, damping.number("ratios"))
                                     : damping.vector("ratios");
  if (ratios.size() != n) {
    damping.fail("ratios", fmt::format("must hold one number for each of the {} modes, got {}", n,
                                       ratios.size()));
  }
  try {
    return model::modal_damping(system.M, system.K, ratios);
  } catch (const InvalidInput& error) {
    throw StudyError(damping.place("ratios"), damping.name("ratios") + ": " + error.reason());
  }
}

Eigen::MatrixXd read_damping(const TableReader& model, const FileContext& files,
                             const model::SecondOrder& system) {
  const Eigen::Index n = system.degrees_of_freedom();
  if (!model.has("damping")) {
    return Eigen::MatrixXd::Zero(n, n);
  }
  if (model.form("damping") == kTable) {
    const TableReader damping = model.table("damping");
    if (damping.has("ratios")) {
      return damping_from_ratios(damping, system);
    }
    if (damping.has("mass") || damping.has("stiffness")) {
      return damping.number("mass") * system.M + damping.number("stiffness") * system.K;
    }
  }
  return read_like_mass(model, "damping", files, n);
}

Eigen::MatrixXd forces_on(const TableReader& model, const std::vector<std::string>& driven,
                          const std::vector<std::string>& coordinates) {
  Eigen::MatrixXd L = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(coordinates.size()),
                                            static_cast<Eigen::Index>(driven.size()));
  for (Eigen::Index j = 0; j < L.cols(); ++j) {
    const std::string& name = driven[static_cast<std::size_t>(j)];
    const Eigen::Index i = index_of(coordinates, name);
    if (i < 0) {
      model.fail("forces",
                 fmt::format("names the coordinate \"{}\", which the model does not have{}", name,
                             suggestion(name, coordinates)));
    }
    if (L.row(i).any()) {
      model.fail("forces", fmt::format("names the coordinate \"{}\" twice", name));
    }
    L(i, j) = 1.0;
  }
  return L;
}

}  // namespace

Eigen::MatrixXd read_forces(const TableReader& model, const FileContext& files,
                            const std::vector<std::string>& coordinates) {
  const auto n = static_cast<Eigen::Index>(coordinates.size());
  const unsigned form = model.form("forces");
  if (form == 0 || (form == kText && model.text("forces") == "all")) {
    return Eigen::MatrixXd::Identity(n, n);
  }
  const bool one_name = form == kText && (index_of(coordinates, model.text("forces")) >= 0 ||
                                          !io::has_known_ending(model.text("forces")));
  if (form == kTexts || one_name) {
    return forces_on(model, model.texts("forces"), coordinates);
  }
  Eigen::MatrixXd L = read_matrix_key(model, "forces", files);
  if (L.rows() != n || L.cols() == 0) {
    model.fail("forces",
               fmt::format("must have {} rows{}, got {}", n,
                           model.has("mass") ? " like model.mass" : ", one for each coordinate",
                           size_text(L)));
  }
  return L;
}

std::vector<std::string> read_names(const TableReader& model, const std::string& key,
                                    Eigen::Index count, const std::string& letter) {
  std::vector<std::string> names;
  if (!model.has(key)) {
    names.reserve(static_cast<std::size_t>(count));
    for (Eigen::Index i = 0; i < count; ++i) {
      names.push_back(letter + std::to_string(i + 1));
    }
    return names;
  }
  names = model.texts(key);
  if (static_cast<Eigen::Index>(names.size()) != count) {
    model.fail(key, fmt::format("must hold {} names, got {}", count, names.size()));
  }
  check_names(model, key, names);
  return names;
}

namespace {

std::vector<std::string> read_units(const TableReader& units, const std::string& key,
                                    std::size_t count) {
  std::vector<std::string> labels = units.texts(key);
  const bool is_list = units.has(key) && units.form(key) == kTexts;
  if (!is_list) {
    return std::vector<std::string>(count, labels.front());
  }
  if (labels.size() != count) {
    units.fail(key, fmt::format("must hold {} texts, got {}", count, labels.size()));
  }
  return labels;
}

std::vector<std::string> rates_of(const TableReader& units, const std::string& key,
                                  const std::vector<std::string>& displacement,
                                  const std::string& per) {
  if (units.has(key)) {
    return read_units(units, key, displacement.size());
  }
  return mapped(displacement, [&](const std::string& label) { return label + per; });
}

// Repeats what the model module checks, in case the two ever disagree, with a place for it.
void check_whole(const TableReader& model, const model::SecondOrder& system) {
  try {
    (void)model::check_second_order(system);
  } catch (const InvalidInput& error) {
    const std::string message = error.what();
    const std::string rule = message.substr(message.find(": ") + 2);
    const std::string key = rule.rfind("L ", 0) == 0 ? "forces" : "mass";
    throw StudyError(model.place(key), model.name(key) + ": " + rule);
  }
}

}  // namespace

LinearModel read_model(const TableReader& model, const FileContext& files) {
  LinearModel result;
  model::SecondOrder& system = result.system;
  system = read_matrices(model, files);
  const Eigen::Index n = system.degrees_of_freedom();
  result.coordinates = read_names(model, "coordinates", n, "q");
  system.L = read_forces(model, files, result.coordinates);
  result.inputs = read_names(model, "inputs", system.inputs(), "u");
  check_whole(model, system);
  read_unit_labels(model.table("units"), result);
  return result;
}

model::SecondOrder read_matrices(const TableReader& table, const FileContext& files) {
  model::SecondOrder system;
  system.M = read_mass(table, files);
  system.K = read_like_mass(table, "stiffness", files, system.degrees_of_freedom());
  system.D = read_damping(table, files, system);
  return system;
}

void read_unit_labels(const TableReader& units, LinearModel& result) {
  result.displacement_units = read_units(units, "displacement", result.coordinates.size());
  result.velocity_units = rates_of(units, "velocity", result.displacement_units, "/s");
  result.acceleration_units = rates_of(units, "acceleration", result.displacement_units, "/s^2");
  result.force_units = read_units(units, "force", result.inputs.size());
}

}  // namespace alembert::study
