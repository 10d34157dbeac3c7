# alembert_add_module(NAME HEADERS ... SOURCES ... [USES modules...] [LINK public...] [PRIVATE private...])
# One library per module, alembert::NAME, with its public headers in a verified header set.
# HEADERS are relative to include/alembert/NAME, SOURCES to src/NAME.
function(alembert_add_module name)
  cmake_parse_arguments(arg "" "" "HEADERS;SOURCES;USES;LINK;PRIVATE;SYSTEM_INCLUDE" ${ARGN})
  set(target alembert_${name})
  if(ALEMBERT_PREBUILT AND name IN_LIST ALEMBERT_SANITIZE_EXCEPT)
    alembert_take_module(${name} "${arg_USES}" "${arg_LINK}" "${arg_PRIVATE}")
    return()
  endif()
  add_library(${target} ${arg_SOURCES})
  add_library(alembert::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} VERIFY_INTERFACE_HEADER_SETS ON)
  alembert_set_batches(${target} ${name})
  list(TRANSFORM arg_HEADERS PREPEND "${PROJECT_SOURCE_DIR}/include/alembert/${name}/")
  target_sources(${target} PUBLIC FILE_SET HEADERS
    BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${arg_HEADERS})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  list(TRANSFORM arg_USES PREPEND alembert_)
  target_compile_features(${target} PUBLIC cxx_std_20)
  alembert_flags_of(${name} flags)
  if(flags STREQUAL "alembert_warnings")
    target_compile_options(${target} PRIVATE -O0)
  endif()
  alembert_link_interface("${arg_PRIVATE}" private)
  target_link_libraries(${target} PUBLIC ${arg_USES} ${arg_LINK}
                                  PRIVATE $<BUILD_INTERFACE:${flags}> ${private})
  set_property(GLOBAL PROPERTY ALEMBERT_USES_OF_${name} ${arg_USES})
  set_property(GLOBAL PROPERTY ALEMBERT_EXTERNALS_OF_${name} ${arg_PRIVATE})
  target_include_directories(${target} SYSTEM PRIVATE ${arg_SYSTEM_INCLUDE})
  alembert_precompile(${target} <Eigen/Dense> <algorithm> <cmath> <functional> <optional> <string>
                      <vector>)
  set_property(GLOBAL APPEND PROPERTY ALEMBERT_MODULES ${name})
endfunction()

# alembert_take_module(NAME USES LINK PRIVATE): a module as another build made it, in place of
# compiling it again; see ALEMBERT_PREBUILT.
function(alembert_take_module name uses link private)
  set(target alembert_${name})
  add_library(${target} INTERFACE)
  add_library(alembert::${name} ALIAS ${target})
  list(TRANSFORM uses PREPEND alembert_)
  target_include_directories(${target} INTERFACE "${PROJECT_SOURCE_DIR}/include")
  target_compile_features(${target} INTERFACE cxx_std_20)
  target_link_libraries(${target} INTERFACE "${ALEMBERT_PREBUILT}/libalembert_${name}.a"
                                            ${uses} ${link} ${private})
endfunction()
