# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0

# The tests of the Python package, one program per file. They use the package in the build folder. Without pytest they are
# left out, and this says so.
execute_process(COMMAND ${Python3_EXECUTABLE} -c "import numpy, pytest" RESULT_VARIABLE absent OUTPUT_QUIET ERROR_QUIET)
if(absent)
  message(NOTICE "The tests of the Python package are left out: ${Python3_EXECUTABLE} has no pytest or no NumPy "
    "(Debian: python3-pytest python3-numpy)")
  return()
endif()

set(environment PYTHONPATH=${CMAKE_BINARY_DIR}/python PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg OMP_NUM_THREADS=1)
if(TAPPET_SANITIZE MATCHES address)
  # The interpreter itself is built without the sanitizer. It keeps memory until it ends, so leaks are not looked for.
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libasan.so OUTPUT_VARIABLE asan
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libstdc++.so OUTPUT_VARIABLE cxx
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(APPEND environment "LD_PRELOAD=${asan} ${cxx}" ASAN_OPTIONS=detect_leaks=0 TAPPET_SANITIZED=1)
endif()

file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/test_*.py)
foreach(test ${tests})
  get_filename_component(name ${test} NAME_WE)
  string(REPLACE test_ "" name ${name})
  add_test(NAME python.${name}
    COMMAND ${Python3_EXECUTABLE} -m pytest -q -p no:cacheprovider ${test} WORKING_DIRECTORY ${CMAKE_BINARY_DIR}/python)
  set_tests_properties(python.${name} PROPERTIES ENVIRONMENT "${environment};TAPPET_PROGRAM=${CMAKE_BINARY_DIR}/tappet"
    TIMEOUT 300)
endforeach()
