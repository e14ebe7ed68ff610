# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0

add_library(tappet_flags INTERFACE)
target_compile_options(tappet_flags INTERFACE -Wall -Wextra -Wpedantic -Wno-unused-parameter)
if(TAPPET_SANITIZE)
  target_compile_options(tappet_flags INTERFACE -fsanitize=${TAPPET_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_link_options(tappet_flags INTERFACE -fsanitize=${TAPPET_SANITIZE})
endif()

if(TAPPET_FUZZ)
  target_compile_options(tappet_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Headers that most files include, compiled once for all targets. No file relies on them: each includes what it uses.
add_library(tappet_precompiled OBJECT ${CMAKE_CURRENT_LIST_DIR}/precompiled.cpp)
target_link_libraries(tappet_precompiled PRIVATE tappet_flags Eigen3::Eigen fmt::fmt)
target_precompile_headers(tappet_precompiled PRIVATE
  <Eigen/Core> <fmt/format.h> <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory> <numeric>
  <optional> <span> <stdexcept> <string> <string_view> <tuple> <utility> <variant> <vector>)

# One target per folder: every .cpp of src/<name>. Inside the library its headers are seen as "<name>/file.h". The public
# headers, <tappet/file.h>, stand in include/ and are the only ones that are installed.
function(tappet_folder name)
  cmake_parse_arguments(ARG "PROGRAM" "" "DEPENDS;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(sources)
    add_library(tappet_${name} STATIC ${sources})
    target_link_libraries(tappet_${name} PUBLIC ${ARG_DEPENDS} PRIVATE $<BUILD_INTERFACE:tappet_flags> ${ARG_PRIVATE})
    target_precompile_headers(tappet_${name} REUSE_FROM tappet_precompiled)
    target_include_directories(tappet_${name} PUBLIC
      $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}> $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  else()
    add_library(tappet_${name} INTERFACE)
    target_link_libraries(tappet_${name} INTERFACE ${ARG_DEPENDS} ${ARG_PRIVATE})
    target_include_directories(tappet_${name} INTERFACE
      $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}> $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  endif()
  set_target_properties(tappet_${name} PROPERTIES EXPORT_NAME ${name})
  if(NOT ARG_PROGRAM)
    set_property(GLOBAL APPEND PROPERTY TAPPET_TARGETS tappet_${name})
  endif()
endfunction()

# One test program per folder: every .cpp of test/<name>.
function(tappet_test name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE tappet_flags ${ARG_DEPENDS} test_support GTest::gmock GTest::gtest_main)
  target_include_directories(test_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_precompile_headers(test_${name} REUSE_FROM test_precompiled)
  gtest_discover_tests(test_${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
endfunction()
