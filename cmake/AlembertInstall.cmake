# The installed package: find_package(alembert) gives alembert::alembert and one target per module.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/alembert")
list(TRANSFORM modules PREPEND alembert_ OUTPUT_VARIABLE module_targets)
install(TARGETS ${module_targets} alembert_distributed alembert EXPORT alembertTargets FILE_SET HEADERS)
install(EXPORT alembertTargets NAMESPACE alembert:: DESTINATION ${package_dir})
install(TARGETS alembert_tool RUNTIME)
install(FILES "${PROJECT_SOURCE_DIR}/include/alembert/alembert.hpp"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/alembert")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/studies" DESTINATION "${CMAKE_INSTALL_DATADIR}/alembert")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
# Reports embed uPlot, whose licence asks to go with it.
install(FILES "${PROJECT_SOURCE_DIR}/third_party/uplot/LICENSE"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME LICENSE.uPlot)

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/alembertConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/alembertConfig.cmake" INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/alembertConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/alembertConfig.cmake"
              "${PROJECT_BINARY_DIR}/alembertConfigVersion.cmake" DESTINATION ${package_dir})
