# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
# The installed package: what stands in it, and programs outside the tree that are built against it.
set(prefix ${CMAKE_CURRENT_BINARY_DIR}/installed/prefix)
add_test(NAME install.at_most_19_headers_that_need_no_other_package
  COMMAND ${CMAKE_COMMAND} -DBUILD=${CMAKE_BINARY_DIR} -DPREFIX=${prefix}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/install/prefix.cmake)
set_tests_properties(install.at_most_19_headers_that_need_no_other_package PROPERTIES FIXTURES_SETUP installed)

function(tappet_outside_test name source program)
  add_test(NAME install.${name}
    COMMAND ${CMAKE_COMMAND} -DPREFIX=${prefix} -DSOURCE=${source} -DSCRATCH=${CMAKE_CURRENT_BINARY_DIR}/installed/${program}
      -DGENERATOR=${CMAKE_GENERATOR} -DCXX=${CMAKE_CXX_COMPILER} -DPROGRAM=${program} "-DARGUMENTS=${ARGN}"
      -P ${CMAKE_CURRENT_SOURCE_DIR}/install/build.cmake)
  set_tests_properties(install.${name} PROPERTIES FIXTURES_REQUIRED installed)
endfunction()
tappet_outside_test(a_ten_line_program_builds_and_every_header_compiles_alone ${CMAKE_CURRENT_SOURCE_DIR}/install consumer
  ${prefix}/share/tappet/models/first_model.yaml)
foreach(example own_scheme own_solver own_element study)
  tappet_outside_test(example_${example} ${CMAKE_SOURCE_DIR}/examples/${example} ${example})
endforeach()

find_program(TAPPET_PKG_CONFIG pkg-config)
if(TAPPET_PKG_CONFIG)
  add_test(NAME install.a_program_builds_with_pkg_config
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/install/pkg_config.sh ${prefix} ${CMAKE_INSTALL_LIBDIR} ${CMAKE_CXX_COMPILER}
      ${CMAKE_CURRENT_SOURCE_DIR}/install/consumer.cpp)
  set_tests_properties(install.a_program_builds_with_pkg_config PROPERTIES FIXTURES_REQUIRED installed)
endif()

add_test(NAME install.the_program_finds_its_models
  COMMAND ${CMAKE_COMMAND} -E env --unset=TAPPET_MODELS ${prefix}/bin/tappet check first_model)
set_tests_properties(install.the_program_finds_its_models PROPERTIES FIXTURES_REQUIRED installed)
