# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
# Installs BUILD into PREFIX and looks at what stands there: at most 19 headers, which include only each other and the
# standard library, and nothing that does not belong to a package.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} OUTPUT_QUIET
  COMMAND_ERROR_IS_FATAL ANY)

file(GLOB_RECURSE files RELATIVE ${PREFIX} ${PREFIX}/*)
set(wrong "")
set(headers 0)
foreach(file ${files})
  if(file MATCHES "^include/tappet/[a-z_]+\\.h$")
    math(EXPR headers "${headers} + 1")
    file(STRINGS ${PREFIX}/${file} includes REGEX "^#include")
    foreach(include ${includes})
      if(NOT include MATCHES "^#include <(tappet/[a-z_]+\\.h|[a-z_]+)>$")
        list(APPEND wrong "${file}: ${include}")
      endif()
    endforeach()
  elseif(NOT file MATCHES "^(bin/tappet(-step-reader)?|lib.*/libtappet_[a-z]+\\.a|lib.*/cmake/tappet/[a-z-]+\\.cmake|lib.*/pkgconfig/tappet\\.pc|share/tappet/(models|reproductions|studies)/.*\\.(yaml|csv|stl))$")
    list(APPEND wrong "${file}: expected a header, a library, the package, a model, a reproduction or a study")
  endif()
endforeach()
if(headers EQUAL 0 OR headers GREATER 19)
  list(APPEND wrong "${headers} headers; expected at most 19")
endif()
if(wrong)
  list(JOIN wrong "\n  " wrong)
  message(FATAL_ERROR "installed:\n  ${wrong}")
endif()
message(STATUS "${headers} headers")
