#pragma once

#include <memory>
#include <vector>

#include "alembert/reduce/reduce.hpp"

namespace alembert::reduce {

/// A basis with an order in which its interior coordinates are kept. Bases that grow by levels have
/// a candidate for each, smallest first.
struct Candidate {
  Method method = Method::Frequency;
  std::shared_ptr<const HybridBasis> basis;  // several methods order the same interior modes
  std::shared_ptr<const BasisJudge> judge;
  std::vector<Eigen::Index> order;
  bool nested = true;  ///< any number of the first is a basis; else all together
};

struct CandidateSet {
  std::vector<Candidate> candidates;
};

/// All methods that the options allow, with modes, interior modes and rankings noted in the result.
[[nodiscard]] CandidateSet candidates_for(const model::Structure& structure,
                                          const Substructure& split, const ReduceOptions& options,
                                          ReduceResult& result);

}  // namespace alembert::reduce
