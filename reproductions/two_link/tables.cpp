#include "reproductions/two_link/tables.hpp"

#include <fmt/format.h>

namespace alembert::reproductions::two_link {
namespace {

using Eigen::Index;

constexpr Index kSevenPoints = 3;  // on each side of the middle
const std::array<const char*, 2> kRigTests{"impulses", "sweep"};

std::vector<std::string> error_header(const std::string& first) {
  return {first, "shoulder [rad/s]", "elbow [rad/s]", "shoulder [rad/s^2]", "elbow [rad/s^2]"};
}

void add_table_row(Table& table, const std::string& name, const std::vector<double>& numbers) {
  table.rows.push_back({name});
  table.values.conservativeResize(static_cast<Index>(table.rows.size()),
                                  static_cast<Index>(table.header.size()) - 1);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    table.values(table.values.rows() - 1, static_cast<Index>(i)) = numbers[i];
  }
}

std::vector<double> numbers_of(const Eigen::Vector4d& rms) { return {rms.begin(), rms.end()}; }

double relative_nis(const Row& row) { return row.score.nis / row.score.outputs; }

void add_consistency(Table& table, const std::string& name, const Row& row) {
  add_table_row(table, name,
                {relative_nis(row), row.score.angle_nees / 2.0, row.score.rate_nees / 4.0,
                 row.score.correlation});
}

/// A part of a test for figures.
struct ShownSamples {
  Index first, count;
};

// Just before a pulse until the elbow has turned; some periods in the middle of the sweep.
ShownSamples shown_samples(std::size_t test) { return {test == 0 ? 2450 : 4000, 500}; }

Curve part_of(const std::string& name, const Motion& motion,
              const Eigen::Ref<const Eigen::VectorXd>& values, Index first, Index count) {
  return {name, motion.time.segment(first, count), values.segment(first, count)};
}

}  // namespace

DifferentiatorErrors differentiator_errors(const Motion& motion, int seeds) {
  const auto rig = make_rig();
  const auto errors = [&](Index half_width) {
    Eigen::Vector4d sum = Eigen::Vector4d::Zero();
    for (int seed = 1; seed <= seeds; ++seed) {
      const Eigen::MatrixXd readings = read_sensors(motion, static_cast<std::uint64_t>(seed));
      sum += rms_errors(motion, differentiate_encoders(*rig, motion, readings, half_width));
    }
    return Eigen::Vector4d(sum / seeds);
  };
  DifferentiatorErrors found{errors(kSevenPoints), errors(kSevenPoints),
                             Eigen::Vector4d::Constant(2.0 * kSevenPoints + 1.0)};
  for (const Index half_width : {4, 6, 8, 11, 15, 20, 27, 36, 48, 64, 85, 113, 150}) {
    const Eigen::Vector4d rms = errors(half_width);
    for (Index i = 0; i < 4; ++i) {
      if (rms(i) >= found.best(i)) continue;
      found.best(i) = rms(i);
      found.best_points(i) = 2.0 * static_cast<double>(half_width) + 1.0;
    }
  }
  return found;
}

Table formula_table(const FormulaDifference& difference) {
  Table table{.id = "formula",
              .title = "The generic mechanism against the published equations",
              .header = {"quantity", "largest relative difference"}};
  table.caption = fmt::format(
      "{} random dimensions, positions, speeds and accelerations; the elbow's angle is relative, "
      "the plane level. The published equations leave open that the angle is relative and that "
      "there is no gravity",
      difference.states);
  add_table_row(table, "S, by which accelerations enter the readings", {difference.sensitivity});
  add_table_row(table, "S' z', readings without accelerations", {difference.rest});
  add_table_row(table, "z'' from both readings", {difference.acceleration});
  return table;
}

Table error_table(const Parts& parts, const DifferentiatorErrors& differentiator,
                  std::size_t test) {
  Table table{.id = fmt::format("errors-{}", kRigTests[test]),
              .title = fmt::format("Errors of velocity and acceleration, test {} ({})", test + 1,
                                   kRigTests[test]),
              .header = error_header("method")};
  table.caption = fmt::format(
      "rms against the truth but for the first and last 0.5 s, means over the seeds. The "
      "differentiator (slope of the least-squares line over 7 samples, named after Lanczos, once "
      "and twice; best widths {:g}, {:g}, {:g} and {:g} samples) and the smoothed rows know the "
      "future. The variances of the input form were tuned with the truth, the densities of the "
      "output form by the likelihood of the readings alone, both on 5.5 s of a seed of their own. "
      "Euler's rule is the published one: its inputs are a sample old, which costs more than all "
      "noise. With both ends of a step and no delay the input form is as good as the output form "
      "with white snap, since S is regular everywhere here. The publication saw less noise with "
      "the simplex than with the EKF; here they are the same",
      differentiator.best_points(0), differentiator.best_points(1), differentiator.best_points(2),
      differentiator.best_points(3));
  add_table_row(table, "encoders differentiated, 7 points", numbers_of(differentiator.seven));
  add_table_row(table, "the same, best width of each column (by the truth)",
                numbers_of(differentiator.best));
  for (const Row& row : parts.errors) {
    add_table_row(table, row.name, numbers_of(row.score.rms));
  }
  add_table_row(table, parts.errors[SnapEkf].name + ", encoders believed to err by a whole count",
                numbers_of(parts.encoders[WholeCountSnap].score.rms));
  return table;
}

Table consistency_table(const Rows& rows) {
  Table table{.id = "consistency",
              .title = "Are the standard deviations true? Counts taken as noise",
              .header = {"observer", "NIS over expected", "NEES of angles over expected",
                         "NEES of rates over expected", "correlation"},
              .caption =
                  "The first three are 1 if all is right, above 1 where the observer is too "
                  "sure of itself; rates: velocities and accelerations. Correlation: the "
                  "largest of the whitened innovations within 20 samples, 0 if all is right. "
                  "Gaussian: noise of the same variance, step^2/12, in place of counts. "
                  "While a joint rests, as between the impulses, the error of a count does "
                  "not change, and an observer that takes it for noise believes that it "
                  "averages it away. The variances of the input form were chosen for small "
                  "errors, not for true deviations"};
  for (std::size_t test = 0; test < 2; ++test) {
    const Parts& parts = rows[test];
    const std::array<std::pair<ErrorRow, EncoderRow>, 3> pairs = {
        {{InputNow, GaussianInput}, {JerkEkf, GaussianJerk}, {SnapEkf, GaussianSnap}}};
    for (const auto& [counted, gaussian] : pairs) {
      const std::string name = fmt::format("{}, {}", kRigTests[test], parts.errors[counted].name);
      add_consistency(table, name + ", counts", parts.errors[counted]);
      add_consistency(table, name + ", Gaussian", parts.encoders[gaussian]);
    }
    add_consistency(table,
                    fmt::format("{}, {}, counts, believed to err by a whole count", kRigTests[test],
                                parts.errors[SnapEkf].name),
                    parts.encoders[WholeCountSnap]);
  }
  return table;
}

Table gravity_table(const Rows& rows) {
  Table table{.id = "gravity",
              .title = "The plane is tilted by 1 degree",
              .header = error_header("observer"),
              .caption =
                  "rms errors of the input form (Heun, no delay) and the output form (white "
                  "snap). An accelerometer reads 0.17 m/s^2 of gravity then, six times "
                  "its noise"};
  table.header.push_back("NIS over expected");
  for (std::size_t test = 0; test < 2; ++test) {
    for (const Row& row : rows[test].gravity) {
      std::vector<double> numbers = numbers_of(row.score.rms);
      numbers.push_back(relative_nis(row));
      add_table_row(table, fmt::format("{}, {}", kRigTests[test], row.name), numbers);
    }
  }
  return table;
}

Table length_table(const Rows& rows) {
  Table table{.id = "lengths",
              .title = "A distance of an accelerometer is wrong by 2 %",
              .header = error_header("observer"),
              .caption =
                  "rms errors of the input form (Heun, no delay) and the output form (white "
                  "snap), scored from 5 s on, when the distances are learnt; rms over the "
                  "seeds of what is left of the error of the wrong distance at the end, and "
                  "its standard deviation as the observer believes it, 5 mm at the start. "
                  "The NIS hardly tells that a distance is wrong. "
                  "That deviation is far too small. Under impulses half of the error is of "
                  "the motion model, which is too stiff for a pulse: 30 times the density "
                  "takes it away. The rest, and nearly all of it in the sweep, is of the "
                  "counts: with Gaussian encoders the errors are as believed"};
  table.header.insert(table.header.end(),
                      {"NIS over expected", "distance, rms error [mm]", "its deviation [mm]"});
  for (std::size_t test = 0; test < 2; ++test) {
    const std::vector<Row>& part = rows[test].lengths;
    for (std::size_t i = 0; i < part.size(); ++i) {
      std::vector<double> numbers = numbers_of(part[i].score.rms);
      const Index link = i >= InputD2 ? 1 : 0;
      numbers.insert(numbers.end(), {relative_nis(part[i]), 1e3 * part[i].score.length_errors(link),
                                     1e3 * part[i].score.length_deviations(link)});
      add_table_row(table, fmt::format("{}, {}", kRigTests[test], part[i].name), numbers);
    }
  }
  return table;
}

Table level_table(const Lab& lab) {
  Table table{.id = "levels",
              .title = "Noise levels",
              .header = {"test and form", "first", "second"},
              .caption =
                  "Input form: variances that a step adds to velocities and to accelerations "
                  "of both joints. Output form: densities of shoulder and elbow"};
  for (std::size_t test = 0; test < 2; ++test) {
    const Levels& levels = lab.levels[test];
    const std::string name = kRigTests[test];
    add_table_row(table, name + ", input form, Euler", {levels.input[1], levels.input[2]});
    add_table_row(table, name + ", input form, Heun, no delay",
                  {levels.input_now[1], levels.input_now[2]});
    add_table_row(table, name + ", white jerk [rad^2/s^5]", {levels.jerk[0], levels.jerk[1]});
    add_table_row(table, name + ", white snap [rad^2/s^7]", {levels.snap[0], levels.snap[1]});
  }
  return table;
}

Plot elbow_figure(const Lab& lab, const Rows& rows, std::size_t test, bool acceleration) {
  const auto [first, count] = shown_samples(test);
  const Index column = acceleration ? 5 : 3;
  const Motion& motion = lab.level[test];
  const std::string quantity = acceleration ? "acceleration" : "velocity";
  Plot figure{
      .id = fmt::format("elbow-{}-{}", quantity, kRigTests[test]),
      .title = fmt::format("Elbow, {}, test {} ({})", quantity, test + 1, kRigTests[test]),
      .x_label = "time [s]",
      .y_label = acceleration ? "acceleration [rad/s^2]" : "velocity [rad/s]",
      .caption =
          "The counts of the encoder show as jumps in its derivative; the observer lies on the "
          "truth"};
  const Eigen::MatrixXd differentiated =
      differentiate_encoders(*make_rig(), motion, read_sensors(motion, 1), kSevenPoints);
  const Score& output = rows[test].errors[SnapEkf].score;
  figure.curves = {
      part_of("encoder differentiated", motion, differentiated.col(column), first, count),
      part_of("truth", motion, motion.truth.col(column), first, count),
      part_of("output form, white snap", motion, output.motion.col(column), first, count)};
  return figure;
}

Plot elbow_error_figure(const Lab& lab, const Rows& rows, std::size_t test) {
  const auto [first, count] = shown_samples(test);
  const Motion& motion = lab.level[test];
  Plot figure{.id = fmt::format("elbow-error-{}", kRigTests[test]),
              .title = fmt::format("Elbow, error of the acceleration, test {} ({})", test + 1,
                                   kRigTests[test]),
              .x_label = "time [s]",
              .y_label = "error [rad/s^2]",
              .caption =
                  "Euler's rule is a sample late; the others err by little but noise, and at "
                  "the edges of a pulse, which are sharper than any smooth motion"};
  for (const ErrorRow row : {InputEkf, InputNow, SnapEkf, SnapSmoothed}) {
    const Row& one = rows[test].errors[row];
    const Eigen::VectorXd error = one.score.motion.col(5) - motion.truth.col(5);
    figure.curves.push_back(part_of(one.name, motion, error, first, count));
  }
  return figure;
}

}  // namespace alembert::reproductions::two_link
