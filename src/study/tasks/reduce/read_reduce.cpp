#include "study/tasks/reduce/read_reduce.hpp"

#include <fmt/format.h>

#include <complex>

#include "alembert/core/error.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/reduce/reduce_keys.hpp"

namespace alembert::study {
namespace {

Eigen::VectorXd read_for_each(const TableReader& table, const std::string& key,
                              Eigen::Index masters) {
  if (table.form(key) != kNumbers) return Eigen::VectorXd::Constant(masters, table.number(key));
  Eigen::VectorXd values = table.vector(key);
  if (values.size() != masters) {
    table.fail(key, fmt::format("must hold one number for each of the {} masters, got {}", masters,
                                values.size()));
  }
  return values;
}

std::vector<reduce::Harmonic> read_harmonics(const TableReader& table, Eigen::Index masters) {
  std::vector<reduce::Harmonic> harmonics;
  for (const TableReader& one : table.tables("forces")) {
    const Eigen::VectorXd amplitude = read_for_each(one, "amplitude", masters);
    const Eigen::VectorXd phase = read_for_each(one, "phase", masters);
    reduce::Harmonic harmonic{one.number("frequency"), Eigen::VectorXcd(masters)};
    for (Eigen::Index i = 0; i < masters; ++i) {
      harmonic.force(i) = amplitude(i) * std::exp(std::complex<double>(0.0, phase(i)));
    }
    if (amplitude.cwiseAbs().maxCoeff() == 0.0) {
      one.fail("amplitude", "must not be zero on all masters");
    }
    harmonics.push_back(std::move(harmonic));
  }
  return harmonics;
}

void check_size(const TableReader& table, const ReduceStudy& study) {
  const auto masters = static_cast<Eigen::Index>(study.masters.size());
  if (study.options.size > 0 && study.options.size < masters) {
    table.fail("size", fmt::format("must be at least {}, the number of masters, got {}", masters,
                                   study.options.size));
  }
  if (masters >= study.structure.size()) {
    table.fail("masters", "must leave rows of the structure for its interior");
  }
}

}  // namespace

ReduceStudy read_reduce(const TableReader& root, const FileContext& files,
                        std::vector<Problem>& problems) {
  ReduceStudy study;
  const bool ready = attempt(
      problems, [&] { study.structure = read_large_structure(root.table("structure"), files); });
  if (!ready) return study;
  const TableReader table = root.table("reduce");
  attempt(problems, [&] {
    study.options = reduce_keys().read(table);
    study.masters = read_rows(table, "masters", study.structure);
    study.options.harmonics =
        read_harmonics(table, static_cast<Eigen::Index>(study.masters.size()));
    check_size(table, study);
  });
  return study;
}

}  // namespace alembert::study
