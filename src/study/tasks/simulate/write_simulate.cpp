#include <fmt/format.h>

#include <algorithm>

#include "alembert/io/mat_matrices.hpp"
#include "alembert/io/table.hpp"
#include "alembert/study/simulate.hpp"
#include "core/algebra/decompositions.hpp"
#include "study/result/json.hpp"

namespace alembert::study {

std::string record_file_name(const std::string& stem, std::size_t number, std::size_t experiments) {
  if (experiments == 1) {
    return stem + ".csv";
  }
  // As many digits as the last one needs, two or more, so that names sort by number.
  const std::size_t digits = std::max<std::size_t>(2, std::to_string(experiments).size());
  return fmt::format("{}-{:0{}}.csv", stem, number, digits);
}

namespace {

// M y'' + D y' + K y = L F, and x' = A x + B F, z = C x + E F with x = (y, y').
void write_small_motions(const FlexibleOutcome& found, const std::filesystem::path& file) {
  const model::SecondOrder& small = found.small;
  const Eigen::Index n = small.M.rows();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(2 * n, small.L.cols());
  const Eigen::LLT<Eigen::MatrixXd> mass(small.M);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -mass.solve(small.K);
  A.bottomRightCorner(n, n) = -mass.solve(small.D);
  B.bottomRows(n) = mass.solve(small.L);
  std::vector<io::NamedMatrix> matrices = {
      {"M", small.M}, {"D", small.D}, {"K", small.K}, {"A", A}, {"C", found.readings_at_rest.C}};
  if (B.cols() > 0) {
    matrices.push_back({"L", small.L});
    matrices.push_back({"B", B});
    matrices.push_back({"E", found.readings_at_rest.D});
  }
  matrices.push_back({"rest", found.rest.x});
  io::write_mat_matrices(file, matrices);
}

}  // namespace

void write_simulate_result(const SimulateResult& result, const std::filesystem::path& folder) {
  const SimulateStudy& study = result.study;
  for (const Experiment& experiment : result.experiments) {
    io::write_record(folder / record_file_name("record", experiment.number, study.experiments),
                     experiment.record);
    if (study.write_truth) {
      io::write_record(folder / record_file_name("truth", experiment.number, study.experiments),
                       experiment.truth);
    }
  }
  if (result.flexible) write_small_motions(*result.flexible, folder / "small_motions.mat");
  write_result(describe(result), folder);
}

}  // namespace alembert::study
