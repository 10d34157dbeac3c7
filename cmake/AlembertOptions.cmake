# Language, warnings and instrumentation shared by all targets of the project.
option(ALEMBERT_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(ALEMBERT_ALL_REPRODUCTIONS "Build the reproductions of all papers, not only the quickest" ON)
option(ALEMBERT_BENCHMARKS "Build the benchmarks" OFF)
option(ALEMBERT_FUZZ "Build the fuzz targets (needs clang)" OFF)
option(ALEMBERT_WARNINGS_AS_ERRORS "Treat warnings as errors" OFF)
set(ALEMBERT_SANITIZE "" CACHE STRING "Sanitizers, for example address,undefined")
set(ALEMBERT_PREBUILT "" CACHE PATH
    "Folder of libraries of another build, from which the modules of ALEMBERT_SANITIZE_EXCEPT are taken")
set(ALEMBERT_SANITIZE_EXCEPT "" CACHE STRING "Modules that stay without sanitizers and optimisation")
option(ALEMBERT_PRECOMPILED_HEADERS "Parse Eigen and GoogleTest once per target" OFF)
option(ALEMBERT_ASSERTIONS "Keep assertions, those of Eigen included, in optimised builds" OFF)
option(ALEMBERT_COVERAGE "Instrument for gcov" OFF)

# Large batches are built soonest from nothing, small ones after a change: quickstart and run-tests
# take 24 where there is no build yet.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 8 CACHE STRING "Sources in a batch, where CMAKE_UNITY_BUILD is on")
# A change then recompiles little where one works, and the other modules keep their large batches.
set(ALEMBERT_AT_WORK "" CACHE STRING "Modules at work, for example model;estimate: they and their tests are compiled in batches of 3")
function(alembert_set_batches target module)
  if(module IN_LIST ALEMBERT_AT_WORK)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE BATCH UNITY_BUILD_BATCH_SIZE 3)
  endif()
endfunction()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# ccache cannot look into precompiled headers, so it serves the builds without them.
find_program(CCACHE ccache)
if(CCACHE AND NOT ALEMBERT_PRECOMPILED_HEADERS)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()

# g++ 12 warns of overlapping copies inside std::string's operator+ where there are none (GCC bug
# 105651), hence -Wno-restrict. In a batch of sources it takes every one of them for a header, where
# a type of an unnamed namespace inside another type would be a mistake: -Wno-subobject-linkage.
#
# Floating-point contraction is off so that results do not depend on the compiler's choice of
# fused operations: the same inputs and seed give the same bits.
add_library(alembert_warnings INTERFACE)
target_compile_options(alembert_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -ffp-contract=off
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wno-subobject-linkage>
  $<$<BOOL:${ALEMBERT_WARNINGS_AS_ERRORS}>:-Werror>)
# Eigen then checks indices and sizes wherever it is used: run-tests --assertions.
if(ALEMBERT_ASSERTIONS)
  target_compile_options(alembert_warnings INTERFACE -UNDEBUG)
endif()
# g++ collects garbage whenever its heap has doubled since 128 MB, which takes an eighth of the time
# that templates take. Where each job has 3 GB it may grow further.
cmake_host_system_information(RESULT megabytes QUERY TOTAL_PHYSICAL_MEMORY)
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR megabytes_a_job "${megabytes} / ${cores}")
set(enough_memory OFF)
if(megabytes_a_job GREATER_EQUAL 3000)
  set(enough_memory ON)
endif()
option(ALEMBERT_LARGE_HEAP "Let each job of g++ take up to 3 GB, which is quicker" ${enough_memory})
if(ALEMBERT_LARGE_HEAP)
  target_compile_options(alembert_warnings INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-expand=400>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1000000>)
endif()
add_library(alembert_flags INTERFACE)
target_link_libraries(alembert_flags INTERFACE alembert_warnings)
if(ALEMBERT_SANITIZE)
  target_compile_options(alembert_flags INTERFACE
    -fsanitize=${ALEMBERT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(alembert_flags INTERFACE -fsanitize=${ALEMBERT_SANITIZE})
  if(ALEMBERT_FUZZ)
    target_compile_options(alembert_flags INTERFACE -fsanitize=fuzzer-no-link)
  endif()
endif()
if(ALEMBERT_COVERAGE)
  target_compile_options(alembert_flags INTERFACE --coverage)
  target_link_options(alembert_flags INTERFACE --coverage)
endif()

# alembert_precompile(TARGET HEADERS...): the headers that most sources of the target include.
# For clang only: g++ forgets in a precompiled header which lines are the system's and then warns
# about them. The presets without the option also prove that every source has its own includes.
function(alembert_precompile target)
  if(ALEMBERT_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# alembert_flags_of(MODULE RESULT): the flags of a module. Sanitizing dense algebra takes six times as
# long to compile as not doing so; the preset asan leaves it out of the modules that only compute.
function(alembert_flags_of module result)
  if(ALEMBERT_SANITIZE AND module IN_LIST ALEMBERT_SANITIZE_EXCEPT)
    set(${result} alembert_warnings PARENT_SCOPE)
  else()
    set(${result} alembert_flags PARENT_SCOPE)
  endif()
endfunction()
