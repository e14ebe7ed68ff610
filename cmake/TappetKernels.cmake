# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0

# The functions of the elements as compiled kernels. A program built here records them and writes the source files, as
# many as are named here whatever the elements are.
function(tappet_kernels)
  set(count 12)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/kernels)
  file(MAKE_DIRECTORY ${folder})
  file(GLOB generator CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/kernels/generator/*.cpp)
  add_executable(tappet_generate_kernels ${generator})
  target_link_libraries(tappet_generate_kernels PRIVATE tappet_describe tappet_formula tappet_flags)
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    list(APPEND written ${folder}/kernels_${i}.cpp)
  endforeach()
  add_custom_command(OUTPUT ${written} COMMAND tappet_generate_kernels ${folder} ${count}
    DEPENDS tappet_generate_kernels COMMENT "Writing the kernels of the elements" VERBATIM)
  # Straight-line code, most of it common subexpressions already: more optimisation costs time and gains nothing.
  set(options -O1 -fno-math-errno -w)
  if(TAPPET_SANITIZE MATCHES address AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # These functions are so long that g++ takes more than 20 GB to add all checks to one file. Therefore undefined
    # behaviour is not checked here, and an address is checked by a call.
    list(APPEND options -fno-sanitize=undefined --param=asan-instrumentation-with-call-threshold=0)
  endif()
  set_source_files_properties(${written} PROPERTIES COMPILE_OPTIONS "${options}")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/kernels/*.cpp)
  add_library(tappet_kernels STATIC ${sources} ${written})
  target_link_libraries(tappet_kernels PUBLIC tappet_elements PRIVATE $<BUILD_INTERFACE:tappet_flags>)
  target_include_directories(tappet_kernels PUBLIC
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tappet>)
  set_target_properties(tappet_kernels PROPERTIES EXPORT_NAME kernels)
  set_property(GLOBAL APPEND PROPERTY TAPPET_TARGETS tappet_kernels)
endfunction()
