# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0

# find_package(tappet) gives tappet::tappet: all folders and what they need. The headers are in
# include/tappet/<folder>/, and tappet/tappet.h includes what a program needs to load and simulate a model.
include(CMakePackageConfigHelpers)

add_library(tappet_tappet INTERFACE)
add_library(tappet::tappet ALIAS tappet_tappet)
set_target_properties(tappet_tappet PROPERTIES EXPORT_NAME tappet)
get_property(folders GLOBAL PROPERTY TAPPET_TARGETS)
target_link_libraries(tappet_tappet INTERFACE ${folders})
target_include_directories(tappet_tappet INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(tappet_tappet INTERFACE cxx_std_20)

install(TARGETS tappet_tappet ${folders} EXPORT tappet-targets)
if(TARGET tappet)
  install(TARGETS tappet)
endif()
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tappet FILES_MATCHING PATTERN "*.h"
  PATTERN "src/run/tappet.h" EXCLUDE)
install(FILES src/run/tappet.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tappet)
install(DIRECTORY models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tappet/models OPTIONAL FILES_MATCHING PATTERN "*.yaml")
install(DIRECTORY reproductions/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tappet/reproductions OPTIONAL
  FILES_MATCHING PATTERN "*.yaml")

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tappet)
install(EXPORT tappet-targets NAMESPACE tappet:: DESTINATION ${package_folder})
configure_package_config_file(cmake/tappet-config.cmake.in ${CMAKE_BINARY_DIR}/tappet-config.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/tappet-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/tappet-config.cmake ${CMAKE_BINARY_DIR}/tappet-config-version.cmake
  DESTINATION ${package_folder})
