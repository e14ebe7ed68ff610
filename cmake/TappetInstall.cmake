# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0

# find_package(tappet) gives tappet::tappet: the libraries of all folders and what they need. The headers are those of
# include/tappet; they include nothing but the standard library and each other.
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
install(DIRECTORY include/tappet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tappet/models OPTIONAL
  FILES_MATCHING PATTERN "*.yaml" PATTERN "*.stl")
install(DIRECTORY studies/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tappet/studies OPTIONAL FILES_MATCHING PATTERN "*.yaml")
install(DIRECTORY reproductions/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tappet/reproductions OPTIONAL
  FILES_MATCHING PATTERN "*.yaml")

# tappet.pc, for builds without CMake.
set(pc_libraries "")
foreach(folder ${folders})
  get_target_property(type ${folder} TYPE)
  if(type STREQUAL STATIC_LIBRARY)
    string(APPEND pc_libraries " -l${folder}")
  endif()
endforeach()
list(JOIN HDF5_C_LIBRARIES " " pc_hdf5)
file(RELATIVE_PATH pc_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/tappet.pc.in ${CMAKE_BINARY_DIR}/tappet.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/tappet.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tappet)
install(EXPORT tappet-targets NAMESPACE tappet:: DESTINATION ${package_folder})
configure_package_config_file(cmake/tappet-config.cmake.in ${CMAKE_BINARY_DIR}/tappet-config.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/tappet-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/tappet-config.cmake ${CMAKE_BINARY_DIR}/tappet-config-version.cmake
  DESTINATION ${package_folder})
