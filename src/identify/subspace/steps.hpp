#pragma once

#include "alembert/identify/subspace.hpp"
#include "identify/subspace/hankel.hpp"
#include "identify/subspace/projection.hpp"

/// Steps that subspace() and stabilisation() share.
namespace alembert::identify::realisation {

/// Frequency in Hz below which every output has 99 % of its power above the noise floor; 0 for
/// records of fewer than 32 samples.
[[nodiscard]] double fastest_frequency(const Experiments& data);

/// The horizon that suits the data.
///
/// At least what the order needs; then 1.25 periods of the highest frequency below which the
/// outputs have 99 % of their power above the noise floor, because longer horizons average more;
/// but the Hankel matrix keeps 2.5 times as many columns as rows, and at most 1600 rows.
/// @throws InvalidInput if even the smallest horizon has more rows than columns.
[[nodiscard]] Eigen::Index suitable_horizon(const Experiments& data,
                                            const std::vector<Sequence>& parts,
                                            const SubspaceOptions& options,
                                            Eigen::Index least_order);

/// Checks the data and options, chooses the horizon and compresses.
struct PreparedData {
  std::vector<Sequence> parts;
  ChannelScales scales;
  Compression compression;
};
[[nodiscard]] PreparedData prepare(std::string_view function, const Experiments& data,
                                   const SubspaceOptions& options, Eigen::Index least_order,
                                   CompressionWay way = CompressionWay::Automatic);

/// Rank and condition of the input block Hankel matrix; directions below 1e-6 of the largest
/// count as absent.
[[nodiscard]] Excitation excitation(const Compression& data);

/// subspace() with the way of compression given.
SubspaceModel subspace_by(const Experiments& data, const SubspaceOptions& options,
                          CompressionWay way);

}  // namespace alembert::identify::realisation
