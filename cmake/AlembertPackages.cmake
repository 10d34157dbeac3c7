# Debian packages by CPack: alembert (the tool), libalembert-dev (the library), python3-alembert. tools/packages makes them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME alembert)
set(CPACK_PACKAGE_CONTACT "Alembert developers <developers@alembert.invalid>")
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "mechanical models from measured motion")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_COMPONENTS_ALL tool dev)
if(ALEMBERT_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
# Between installing and packing: places, documents and archives as Debian wants them.
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_BINARY_DIR}/AlembertStage.cmake")
configure_file("${PROJECT_SOURCE_DIR}/cmake/AlembertStage.cmake.in" "${PROJECT_BINARY_DIR}/AlembertStage.cmake" @ONLY)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # what the programs were linked with
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_DEBIAN_TOOL_PACKAGE_NAME alembert)
set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS "libalembert-dev, python3-alembert, gcc, xdg-utils")
set(CPACK_COMPONENT_TOOL_DESCRIPTION "Identifies mass, damping and stiffness, parameters of equations and motion
of mechanisms from records, each with its uncertainty and a verdict.

This is the command-line tool with its studies.")

# What the headers and archives need, from the list that everything installs from.
file(STRINGS "${PROJECT_SOURCE_DIR}/tools/packages.txt" lines REGEX "^(build|stiff):.*-dev")
string(REGEX MATCHALL "lib[a-z0-9.+-]+-dev|zlib1g-dev" needed "${lines}")
list(FILTER needed EXCLUDE REGEX "gtest|gmock|cli11|nlohmann|boost|random123|fast-float")
list(JOIN needed ", " needed)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libalembert-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${needed}")
set(CPACK_COMPONENT_DEV_DESCRIPTION "Identifies mass, damping and stiffness, parameters of equations and motion
of mechanisms from records, each with its uncertainty and a verdict.

These are headers and archives of the C++20 library, for CMake and
pkg-config.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-alembert)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
string(REGEX REPLACE "^.*python3\\.([0-9]+).*$" "\\1" python_minor "${ALEMBERT_PYTHON_DIR}")
math(EXPR next_python "${python_minor} + 1")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${python_minor}), python3 (<< 3.${next_python}), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-matplotlib, python3-pandas")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Identifies mass, damping and stiffness, parameters of equations and motion
of mechanisms from records, each with its uncertainty and a verdict.

This is the Python module: the whole library from NumPy arrays, with the
studies and reports of the tool.")
# tools/packages builds what is packed; tests need not be.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
include(CPack)
