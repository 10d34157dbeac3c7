#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/status.hpp"
#include "alembert/core/verdict.hpp"
#include "alembert/reduce/proof.hpp"
#include "alembert/reduce/ranking.hpp"
#include "alembert/reduce/substructure.hpp"

/// A small model of a large structure, right where it matters, with proof.
namespace alembert::reduce {

/// How the interior of a small model is described.
enum class Method {
  Auto,              ///< the smallest basis of all that meets the wanted accuracy
  Guyan,             ///< static modes alone
  Frequency,         ///< Craig-Bampton: interior modes by rising frequency
  ModeRanking,       ///< interior modes by their share in the target modes (IMR)
  ForceRanking,      ///< interior modes by their share in the energy of the forced response (EBR)
  InterfaceMass,     ///< interior modes by effective interface mass
  InterfaceMoments,  ///< interior modes by their share in the interface's dynamic stiffness (CMS-χ)
  ModeResiduals,     ///< interior parts of the target modes: exact for these
  DynamicResiduals,  ///< interior parts of forced responses and of up to four derivatives
  RationalKrylov  ///< responses over bands about the frequencies, taken where the error is largest
};
constexpr auto enum_names(Method) {
  return std::to_array<EnumName<Method>>({{Method::Auto, "auto"},
                                          {Method::Guyan, "guyan"},
                                          {Method::Frequency, "frequency"},
                                          {Method::ModeRanking, "mode-ranking"},
                                          {Method::ForceRanking, "force-ranking"},
                                          {Method::InterfaceMass, "interface-mass"},
                                          {Method::InterfaceMoments, "interface-moments"},
                                          {Method::ModeResiduals, "mode-residuals"},
                                          {Method::DynamicResiduals, "dynamic-residuals"},
                                          {Method::RationalKrylov, "rational-krylov"}});
}

/// A harmonic force on the masters.
struct Harmonic {
  double frequency_hz = 0.0;
  Eigen::VectorXcd force;  ///< amplitude on each master
};

/// What is asked of a small model.
struct ReduceOptions {
  Method method = Method::Auto;
  /// Numbers, from 1, of the modes of the whole structure that must be right; rigid-body modes
  /// count.
  std::vector<int> modes = {};
  std::vector<double> weights = {};      ///< of these modes; empty: equal
  std::vector<Harmonic> harmonics = {};  ///< forces whose response must be right
  double frequency_error = 0.01;         ///< of a target mode, relative; at most
  double nco = 0.99;                     ///< of a target mode; at least
  double mac = 0.999;                    ///< of a forced response; at least
  double gain_error = 0.01;              ///< of a forced response, relative; at most
  double off_design = 0.05;              ///< responses are also judged this part above and below
  Eigen::Index size = 0;     ///< of the small model; 0: the smallest that meets the accuracy
  Eigen::Index largest = 0;  ///< size at which the search ends; 0: masters + 60
  /// Interior modes that are ranked; 0: all up to 1500 rows, else 200 of the lowest.
  Eigen::Index candidates = 0;
};

/// A small model of one method, size and accuracy: a point of the trade-off curve.
struct TradeOff {
  Method method = Method::Frequency;
  Eigen::Index size = 0;
  double frequency_error = 0.0;  ///< worst of the target modes
  double nco = 1.0;              ///< worst
  double mac = 1.0;              ///< worst of the responses at the design frequencies
  double gain_error = 0.0;       ///< worst
  double off_design_mac = 1.0, off_design_gain = 0.0;
  bool good = false;             ///< meets the wanted accuracy, off-design figures apart
  bool good_off_design = false;  ///< and with them
};

/// The small model and its proof.
struct ReduceResult : Outcome {
  Method method = Method::Frequency;  ///< that was used
  HybridBasis basis;                  ///< the small model, with its way back to all rows
  std::vector<Eigen::Index> kept;     ///< interior modes, from 0; empty for residual bases
  StructureModes modes;               ///< of the whole structure, up to the highest target
  StructureModes interior;            ///< candidates
  ModeRanking ranking;                ///< for the target modes; without order if there are none
  std::vector<ModeError> mode_errors;
  std::vector<ResponseError> response_errors;
  std::vector<TradeOff> curve;     ///< all methods and sizes
  std::vector<TradeOff> smallest;  ///< of each method, the smallest good one from which on all are
  /// The same where responses off the design frequencies count too. `auto` takes the smallest of
  /// these, or where there is none of those above.
  std::vector<TradeOff> smallest_off_design;
  model::StructureCheck check;
  Verdict verdict;
  std::vector<std::string> warnings;
};

/// Reduces a structure to its masters and few interior coordinates.
/// @throws InvalidInput as check_structure(), split_structure() and lowest_modes(), and for options
///   that do not suit the structure.
[[nodiscard]] ReduceResult reduce_structure(const model::Structure& structure,
                                            const std::vector<Eigen::Index>& masters,
                                            const ReduceOptions& options);

}  // namespace alembert::reduce
