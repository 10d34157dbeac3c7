#!/usr/bin/env bash
# Runs a fuzz target for long: tools/fuzz.sh [csv|uff|loggers|mat|hdf5|rows|matrix_market|mesh|structure_matrix|equations|study|journal|report|all] [seconds]
# Builds with the asan preset. Inputs that break a reader are kept as build/asan/fuzz/TARGET-*; add
# them to tests/fuzz/corpus/TARGET/ with the mend.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${1:-all}
seconds=${2:-300}
build=${ALEMBERT_FUZZ_BUILD:-build/asan}

case $target in
  all) targets=(csv uff loggers mat hdf5 rows matrix_market mesh structure_matrix equations study journal report) ;;
  csv | uff | loggers | mat | hdf5 | rows | matrix_market | mesh | structure_matrix | equations | study | journal | report) targets=("$target") ;;
  *)
    echo "usage: tools/fuzz.sh [csv|uff|loggers|mat|hdf5|rows|matrix_market|mesh|structure_matrix|equations|study|journal|report|all] [seconds]" >&2
    exit 2
    ;;
esac

if [ ! -f "$build/build.ninja" ]; then
  cmake --preset asan
fi
for name in "${targets[@]}"; do
  cmake --build "$build" --target "fuzz_$name"
  work=$build/fuzz/$name
  mkdir -p "$work"
  corpus=("tests/fuzz/corpus/$name")
  if [ "$name" = study ]; then
    corpus+=("tests/cli/broken")
  fi
  echo "fuzz_$name for $seconds s"
  "$build/bin/fuzz_$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 \
    -print_final_stats=1 -artifact_prefix="$build/fuzz/$name-" "$work" "${corpus[@]}"
done
