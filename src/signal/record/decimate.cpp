#include "alembert/signal/decimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "alembert/core/check.hpp"

namespace alembert::signal {
namespace {

using Values = Eigen::Ref<const Eigen::VectorXd>;

constexpr std::size_t kPointsPerBucket = 4;
constexpr Eigen::Index kNone = -1;

// What a bucket may keep, in the order in which it matters.
struct Bucket {
  Eigen::Index smallest = kNone;
  Eigen::Index largest = kNone;
  Eigen::Index missing = kNone;  // middle of the longest run of NaN
  Eigen::Index last = kNone;
  Eigen::Index first = kNone;
};

Bucket scan(const Values& y, Eigen::Index begin, Eigen::Index end) {
  Bucket bucket;
  Eigen::Index run = 0;
  Eigen::Index longest = 0;
  for (Eigen::Index k = begin; k < end; ++k) {
    if (std::isnan(y(k))) {
      if (++run > longest) {
        longest = run;
        bucket.missing = k - run / 2;
      }
      continue;
    }
    run = 0;
    if (bucket.first == kNone) {
      bucket.first = bucket.smallest = bucket.largest = k;
    }
    if (y(k) < y(bucket.smallest)) {
      bucket.smallest = k;
    }
    if (y(k) > y(bucket.largest)) {
      bucket.largest = k;
    }
    bucket.last = k;
  }
  return bucket;
}

void append_kept(const Bucket& bucket, std::vector<Eigen::Index>& indices) {
  const auto begin = static_cast<std::ptrdiff_t>(indices.size());
  for (const Eigen::Index k :
       {bucket.smallest, bucket.largest, bucket.missing, bucket.last, bucket.first}) {
    const auto kept = indices.size() - static_cast<std::size_t>(begin);
    const bool known = std::find(indices.begin() + begin, indices.end(), k) != indices.end();
    if (k != kNone && !known && kept < kPointsPerBucket) {
      indices.push_back(k);
    }
  }
  std::sort(indices.begin() + begin, indices.end());
}

std::vector<Eigen::Index> kept_indices(const Values& y, Eigen::Index buckets) {
  const Eigen::Index count = y.size();
  const auto limit = static_cast<Eigen::Index>(kPointsPerBucket);
  std::vector<Eigen::Index> indices;
  if (count / limit < buckets || count == limit * buckets) {
    indices.resize(static_cast<std::size_t>(count));
    std::iota(indices.begin(), indices.end(), Eigen::Index{0});
    return indices;
  }
  indices.reserve(kPointsPerBucket * static_cast<std::size_t>(buckets));
  for (Eigen::Index b = 0; b < buckets; ++b) {
    append_kept(scan(y, b * count / buckets, (b + 1) * count / buckets), indices);
  }
  return indices;
}

}  // namespace

std::vector<Eigen::Index> decimate_indices(const Values& y, Eigen::Index buckets) {
  check::at_least("decimate_indices", "buckets", buckets, 1);
  return kept_indices(y, buckets);
}

Decimated decimate_min_max(const Values& x, const Values& y, Eigen::Index buckets) {
  check::size("decimate_min_max", "y", y.size(), x.size());
  check::at_least("decimate_min_max", "buckets", buckets, 1);
  const std::vector<Eigen::Index> indices = kept_indices(y, buckets);
  return {x(indices), y(indices)};
}

}  // namespace alembert::signal
