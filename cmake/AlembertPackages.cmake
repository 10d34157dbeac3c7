# Debian packages by CPack: alembert (the tool), libalembert-dev (the library), python3-alembert. tools/package makes them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME alembert)
set(CPACK_PACKAGE_CONTACT "Alembert developers <alembert@localhost>")
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_SET_DESTDIR ON)  # the Python module goes by the prefix
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_COMPONENTS_ALL tool dev)
if(ALEMBERT_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # what the programs were linked with
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_DEBIAN_TOOL_PACKAGE_NAME alembert)
set(CPACK_COMPONENT_TOOL_DESCRIPTION "mechanical models from measured motion
 Identifies mass, damping and stiffness, parameters of equations and motion
 of mechanisms from records, each with its uncertainty and a verdict. This is
 the command-line tool with its studies.")

# What the headers and archives need, from the list that everything installs from.
file(STRINGS "${PROJECT_SOURCE_DIR}/tools/packages.txt" lines REGEX "^(build|stiff):.*-dev")
string(REGEX MATCHALL "lib[a-z0-9.+-]+-dev|zlib1g-dev" needed "${lines}")
list(FILTER needed EXCLUDE REGEX "gtest|gmock|cli11")
list(JOIN needed ", " needed)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libalembert-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${needed}")
set(CPACK_COMPONENT_DEV_DESCRIPTION "mechanical models from measured motion, for programs
 Headers and archives of the C++20 library, for CMake and pkg-config.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-alembert)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.11), python3 (<< 3.12), python3-numpy")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "mechanical models from measured motion, for Python
 The whole library from NumPy arrays, with the studies and reports of the tool.")
# tools/package builds what is packed; tests need not be.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
include(CPack)
