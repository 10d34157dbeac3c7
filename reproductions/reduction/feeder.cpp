#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/random.hpp"
#include "alembert/document/printed.hpp"
#include "alembert/model/structure/assembly.hpp"
#include "reproductions/reduction/reduction.hpp"
#include "reproductions/reduction/sizes.hpp"

namespace alembert::reproductions::reduction {
namespace {

using Eigen::Index;
using model::Direction;
using reduce::Method;
using reduce::ReduceResult;

constexpr std::size_t kFeeders = 30;
constexpr Index kNodes = 9;  // of each beam

/// A method with what the thesis prints for it; "": nothing.
struct FeederMethod {
  Method method;
  std::string printed;
};
const std::vector<FeederMethod> kFeederMethods = {
    {Method::ForceRanking, "12"}, {Method::InterfaceMoments, "16"}, {Method::InterfaceMass, "23"},
    {Method::Frequency, "24"},    {Method::DynamicResiduals, ""},   {Method::RationalKrylov, ""}};

/// A tray on six springs over a support beam on two springs, three exciters on springs at the tray.
struct Feeder {
  model::Structure structure;
  std::vector<Index> masters;  ///< three places of the tray, then the exciters
};

Index row_of(const model::Structure& structure, Index node) {
  for (std::size_t row = 0; row < structure.coordinates.size(); ++row) {
    const model::StructureCoordinate& one = structure.coordinates[row];
    if (one.node == node && one.direction == Direction::Y) return static_cast<Index>(row);
  }
  return -1;
}

// The thesis prints no numbers. Nominal: 1.5 m of tray with 45 kg and EI of 8.4e4 N m2, a support
// beam of twice the mass and 2.5 times the stiffness; tray against support near 50 Hz, everything
// on its supports near 5 Hz, exciters of 8 kg near 55 Hz. Each number is drawn from half to twice
// of it.
// `bending` times the stiffness of both beams: with 1 the first bending mode of a free tray lies
// near 84 Hz, with 0.1 near 26 Hz and three of them below 150 Hz.
Feeder random_feeder(RandomStream random, double bending) {
  const auto drawn = [&](double nominal) { return nominal * std::exp2(random.uniform(-1.0, 1.0)); };
  model::StructureBuilder builder;
  const auto add_beam = [&](double height, double mass_per_length, double inertia) {
    const model::Material steel{};
    const Index first = builder.nodes();
    for (Index i = 0; i < kNodes; ++i) {
      (void)builder.add_node({1.5 * static_cast<double>(i) / (kNodes - 1), height, 0.0});
    }
    for (Index i = 0; i + 1 < kNodes; ++i) {
      builder.add_plane_beam({first + i, first + i + 1}, steel,
                             {.area = mass_per_length / steel.density, .inertia = inertia});
    }
    for (Index i = 0; i < kNodes; ++i) builder.fix(first + i, Direction::X);
    return first;
  };
  const Index tray = add_beam(0.3, drawn(30.0), bending * drawn(4e-7));
  const Index support = add_beam(0.0, drawn(60.0), bending * drawn(1e-6));
  for (const Index i : {1, 2, 3, 5, 6, 7}) {
    builder.add_spring(tray + i, support + i, Direction::Y, drawn(6.8e5));
  }
  for (const Index i : {1, 7}) builder.add_ground_spring(support + i, Direction::Y, drawn(6.7e4));
  std::vector<Index> nodes = {tray + 2, tray + 4, tray + 6};
  for (const Index i : {2, 4, 6}) {
    const Index exciter = builder.add_node({1.5 * static_cast<double>(i) / (kNodes - 1), 0.2, 0.0});
    builder.add_mass(exciter, Direction::Y, drawn(8.0));
    builder.add_spring(tray + i, exciter, Direction::Y, drawn(9.6e5));
    nodes.push_back(exciter);
  }
  Feeder feeder{builder.build(), {}};
  for (const Index node : nodes) feeder.masters.push_back(row_of(feeder.structure, node));
  return feeder;
}

ReduceResult reduced_feeder(const Feeder& feeder) {
  Eigen::VectorXcd force(6);
  force << 1.0, 1.0, 1.0, -1.0, -1.0, -1.0;
  return reduce::reduce_structure(feeder.structure, feeder.masters,
                                  {.harmonics = {{50.0, force}, {100.0, force}}, .largest = 39});
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

/// What one method needs over all feeders; all 39 coordinates where nothing smaller is good.
struct Sizes {
  std::vector<double> size, band_size, off_design;

  [[nodiscard]] double middle() const { return median(size); }
  [[nodiscard]] double least() const { return *std::min_element(size.begin(), size.end()); }
  [[nodiscard]] double most() const { return *std::max_element(size.begin(), size.end()); }
};

Sizes sizes_of(const std::vector<ReduceResult>& all, Method method) {
  const auto or_all = [](double size) { return std::isnan(size) ? 39.0 : size; };
  Sizes sizes;
  for (const ReduceResult& one : all) {
    sizes.size.push_back(or_all(size_of(one, method)));
    sizes.band_size.push_back(or_all(band_size_of(one, method)));
    for (const reduce::TradeOff& smallest : one.smallest) {
      if (smallest.method == method && smallest.size > 0) {
        sizes.off_design.push_back(smallest.off_design_gain);
      }
    }
  }
  return sizes;
}

/// Feeders of one kind, with all methods.
struct Family {
  std::string name;
  double bending;
  std::vector<ReduceResult> feeders;
};

void add_feeder_sizes(const Family& family, Reproduction& result) {
  Table table{
      .id = "sizes-" + family.name,
      .title = fmt::format("{} beams: coordinates for MAC 0.999 and gain error 1 %", family.name),
      .header = {"method", "median", "smallest", "largest", "median, at +-5 % too",
                 "MultibodyThesis, table 5.4", "gain error at +-5 %, median [%]"},
      .caption =
          "30 random feeders of 39 coordinates, six masters, 50 and 100 Hz. 39: no smaller "
          "model is good. The last column is at the size that is just good enough at the "
          "two frequencies. interface-mass: the scaling was not checked against its source."};
  table.values.resize(static_cast<Index>(kFeederMethods.size()), 6);
  for (std::size_t i = 0; i < kFeederMethods.size(); ++i) {
    const auto& [method, printed] = kFeederMethods[i];
    const Sizes sizes = sizes_of(family.feeders, method);
    table.rows.push_back({std::string(name_of(method))});
    table.values.row(static_cast<Index>(i)) << sizes.middle(), sizes.least(), sizes.most(),
        median(sizes.band_size), printed.empty() ? std::nan("") : std::stod(printed),
        100.0 * median(sizes.off_design);
    if (printed.empty()) continue;
    result.claims.push_back(compared(
        {.name = fmt::format("coordinates by {}, median, {} beams", name_of(method), family.name),
         .measured = sizes.middle(),
         .published = std::stod(printed),
         .target = document::as_printed(printed),
         .source = "MultibodyThesis, table 5.4",
         .reason = "the thesis prints neither masses nor stiffnesses of its feeder"}));
  }
  result.tables.push_back(std::move(table));
}

// The order of the methods in the thesis: by frequency and by moments need more than force ranking.
void add_feeder_order(const Family& family, Reproduction& result) {
  const double ranked = sizes_of(family.feeders, Method::ForceRanking).middle();
  for (const auto& [rival, printed] :
       {std::pair{Method::InterfaceMoments, 4.0}, std::pair{Method::Frequency, 12.0}}) {
    result.claims.push_back(compared(
        {.name = fmt::format("coordinates by {} more than by force-ranking, medians, {} beams",
                             name_of(rival), family.name),
         .measured = sizes_of(family.feeders, rival).middle() - ranked,
         .published = printed,
         .target = "> 0",
         .source = "MultibodyThesis, table 5.4, difference of two rows",
         .reason = "where few interior modes lie below 100 Hz any order keeps them early"}));
  }
}

// A prototype of the same methods on 28 feeders of its own: medians.
void add_feeder_references(const Family& family, Reproduction& result) {
  for (const auto& [method, median_of_prototype] :
       {std::pair{Method::ForceRanking, 11.0}, std::pair{Method::InterfaceMoments, 14.0},
        std::pair{Method::Frequency, 18.0}}) {
    result.claims.push_back(
        compared({.name = fmt::format("coordinates by {}, median, {} beams, prototype",
                                      name_of(method), family.name),
                  .measured = sizes_of(family.feeders, method).middle(),
                  .reference = median_of_prototype,
                  .target = fmt::format("{} +- 0.5", median_of_prototype),
                  .source = "reference computation: an independent program on 28 random feeders",
                  .reason = "its feeders were drawn from other masses and stiffnesses"}));
  }
  result.claims.push_back(compared(
      {.name = fmt::format("coordinates by dynamic-residuals, right at +-5 % too, median, {} beams",
                           family.name),
       .measured = median(sizes_of(family.feeders, Method::DynamicResiduals).band_size),
       .reference = 10.0,
       .target = "10 +- 0.5",
       .source = "reference computation: an independent program on one feeder",
       .reason = "that feeder had masses and stiffnesses of its own"}));
}

void add_feeder_promises(const Family& family, Reproduction& result) {
  const Sizes residuals = sizes_of(family.feeders, Method::DynamicResiduals);
  const Sizes rational = sizes_of(family.feeders, Method::RationalKrylov);
  result.claims.push_back(promised(
      {.name = fmt::format("coordinates by dynamic-residuals, largest, {} beams", family.name),
       .measured = residuals.most(),
       .published = 12.0,
       .target = "<= 8",
       .source = "own promise: six masters and a response at each frequency"}));
  result.claims.push_back(promised(
      {.name = fmt::format(
           "coordinates by dynamic-residuals, right at +-5 % too, largest, {} beams", family.name),
       .measured = *std::max_element(residuals.band_size.begin(), residuals.band_size.end()),
       .target = "<= 16",
       .source = "own promise: six masters, a response and four derivatives at each frequency"}));
  result.claims.push_back(promised(
      {.name = fmt::format("coordinates by rational-krylov, right at +-5 % too, largest, {} beams",
                           family.name),
       .measured = *std::max_element(rational.band_size.begin(), rational.band_size.end()),
       .target = "<= 16",
       .source = "own promise: six masters and five responses for each frequency"}));
}

}  // namespace

Reproduction run_feeder(const ReproduceOptions& options) {
  Reproduction result;
  result.name = "vibratory-feeder";
  result.title = "Small models of vibratory feeders for forces at 50 and 100 Hz";
  result.source = "MultibodyThesis, section 5.2.4.3";
  result.summary =
      "A tray and a support beam of eight Euler-Bernoulli elements each, springs and three "
      "exciters: "
      "39 unknowns, six masters, forces of equal size and opposite direction on tray and exciters. "
      "The publication has one feeder and prints no numbers of it; here 30 are drawn with beams "
      "whose first bending mode lies near 84 Hz, and the same 30 with a tenth of their stiffness.";
  const RandomStream random(2024);
  for (Family family : {Family{"stiff", 1.0, {}}, Family{"flexible", 0.1, {}}}) {
    family.feeders.resize(kFeeders);
    const std::size_t finished = parallel_for(
        kFeeders,
        [&](std::size_t i) {
          family.feeders[i] = reduced_feeder(random_feeder(random.child(i), family.bending));
        },
        options.parallel);
    if (finished < kFeeders) {
      result.claims.clear();
      result.tables.clear();
      result.status = Status::Stopped;
      result.message = "stopped on request; no claim is made";
      return result;
    }
    add_feeder_sizes(family, result);
    add_feeder_order(family, result);
    if (family.bending == 1.0) add_feeder_references(family, result);
    add_feeder_promises(family, result);
  }
  return result;
}

}  // namespace alembert::reproductions::reduction
