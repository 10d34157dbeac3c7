# The installed package: find_package(alembert) gives alembert::alembert and one target per module;
# pkg-config knows alembert and alembert-MODULE.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/alembert")
list(TRANSFORM modules PREPEND alembert_ OUTPUT_VARIABLE module_targets)
# Parts: the tool, the library for programs (dev), the Python module (python) and the licences, which packages have in a file of their own.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)
install(TARGETS ${module_targets} alembert_distributed alembert EXPORT alembertTargets FILE_SET HEADERS)
install(EXPORT alembertTargets NAMESPACE alembert:: DESTINATION ${package_dir})
install(TARGETS alembert_tool RUNTIME COMPONENT tool)
install(FILES "${PROJECT_SOURCE_DIR}/include/alembert/alembert.hpp"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/alembert")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/studies" DESTINATION "${CMAKE_INSTALL_DATADIR}/alembert" COMPONENT tool
        PATTERN "*.out" EXCLUDE PATTERN "*.out.runs" EXCLUDE PATTERN "__pycache__" EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT licences)
# Reports embed uPlot, whose licence asks to go with it.
install(FILES "${PROJECT_SOURCE_DIR}/third_party/uplot/LICENSE"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME LICENSE.uPlot COMPONENT licences)

get_property(all_modules GLOBAL PROPERTY ALEMBERT_MODULES)
get_property(externals GLOBAL PROPERTY ALEMBERT_EXTERNALS)

# alembert_names_of(FILE RESULT): under which names a library is looked up: fmt, and libfmt.so.9, which
# is there without the headers too.
function(alembert_names_of file result)
  cmake_path(GET file FILENAME name)
  string(REGEX REPLACE "^lib(.*)\\.(so|a|dylib)[.0-9]*$" "\\1" stem "${name}")
  file(REAL_PATH "${file}" behind)
  cmake_path(GET behind FILENAME numbered)
  string(REGEX MATCH "^lib.*\\.so\\.[0-9]+" numbered "${numbered}")
  set(${result} ${stem} ${numbered} PARENT_SCOPE)
endfunction()

# What alembertConfig.cmake goes by: which module uses which library, and its names.
set(ALEMBERT_PACKAGE_LISTS "set(alembert_modules ${all_modules})\n")
foreach(name IN LISTS externals)
  get_property(file GLOBAL PROPERTY ALEMBERT_EXTERNAL_FILES_${name})
  if(file)
    alembert_names_of("${file}" names)
    cmake_path(GET file PARENT_PATH folder)
    string(APPEND ALEMBERT_PACKAGE_LISTS "set(alembert_names_of_${name} ${names})\n"
           "set(alembert_folder_of_${name} \"${folder}\")\n")
  else()
    list(REMOVE_ITEM externals ${name})
  endif()
endforeach()

# alembert_linked_by(MODULES RESULT): the libraries among `externals` that the modules link.
function(alembert_linked_by modules result)
  alembert_externals_of("${modules}" names)
  set(kept "")
  foreach(name IN LISTS names)
    if(name IN_LIST externals)
      list(APPEND kept ${name})
    endif()
  endforeach()
  set(${result} "${kept}" PARENT_SCOPE)
endfunction()

foreach(module IN LISTS all_modules)
  alembert_closure(${module} closure)
  alembert_linked_by("${closure}" linked)
  list(JOIN linked " " linked)
  string(APPEND ALEMBERT_PACKAGE_LISTS "set(alembert_externals_of_${module} ${linked})\n")
endforeach()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/alembertConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/alembertConfig.cmake" INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/alembertConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/alembertConfig.cmake"
              "${PROJECT_BINARY_DIR}/alembertConfigVersion.cmake" DESTINATION ${package_dir})

# alembert-MODULE.pc names the archives of the module and of all it uses, and the libraries behind
# them, of which a program records only those that it calls. The prefix follows from where the file is.
file(RELATIVE_PATH pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
function(alembert_pkg_config pc_name description modules)
  alembert_linked_by("${modules}" linked)
  list(TRANSFORM modules PREPEND "-lalembert_" OUTPUT_VARIABLE archives)
  set(folders "")
  set(libraries "")
  foreach(name IN LISTS linked)
    get_property(file GLOBAL PROPERTY ALEMBERT_EXTERNAL_FILES_${name})
    alembert_names_of("${file}" names)
    cmake_path(GET file PARENT_PATH folder)
    if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
      list(APPEND folders "-L${folder}")
    endif()
    list(GET names 0 stem)
    list(APPEND libraries "-l${stem}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  list(JOIN archives " " PC_ARCHIVES)
  list(JOIN folders " " PC_FOLDERS)
  list(JOIN libraries " " PC_LIBRARIES)
  set(PC_NAME ${pc_name})
  set(PC_DESCRIPTION ${description})
  configure_file("${PROJECT_SOURCE_DIR}/cmake/alembert.pc.in" "${PROJECT_BINARY_DIR}/${pc_name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${pc_name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

foreach(module IN LISTS all_modules)
  alembert_closure(${module} closure)
  alembert_pkg_config(alembert-${module} "The module ${module} of Alembert" "${closure}")
endforeach()
set(whole ${all_modules})
list(REMOVE_ITEM whole distributed)
list(REVERSE whole)
alembert_pkg_config(alembert "${PROJECT_DESCRIPTION}" "${whole}")

# Manual pages and completions, where tools/manuals made them (tools/packages does).
install(DIRECTORY "${PROJECT_BINARY_DIR}/shares/" DESTINATION "${CMAKE_INSTALL_DATADIR}" COMPONENT tool OPTIONAL)
