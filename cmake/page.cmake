# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0

# Makes FOLDER/page.cpp, and report.html, study.html, orbits.html and studio.html beside it, from VIEWER with NODE and NPM. If
# packages cannot be fetched, the build does not fail. The program is then built without the pages.
function(without_page reason)
  message(NOTICE "Building without the report page: ${reason}")
  file(WRITE ${FOLDER}/report.html "")
  file(WRITE ${FOLDER}/study.html "")
  file(WRITE ${FOLDER}/orbits.html "")
  file(WRITE ${FOLDER}/studio.html "")
  file(WRITE ${FOLDER}/page.cpp "#include \"report/page.h\"\n\nstd::string tappet::page_template() { return {}; }\n"
    "std::string tappet::study_page_template() { return {}; }\n"
    "std::string tappet::orbits_page_template() { return {}; }\n"
    "std::string tappet::studio_page_template() { return {}; }\n")
endfunction()

file(MAKE_DIRECTORY ${FOLDER})
if(NOT NODE)
  without_page("no Node")
  return()
endif()

set(installed ${VIEWER}/node_modules/.package-lock.json)
if(NOT EXISTS ${installed} OR ${VIEWER}/package-lock.json IS_NEWER_THAN ${installed})
  execute_process(
    COMMAND ${NPM} ci --prefer-offline --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1
    WORKING_DIRECTORY ${VIEWER} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE why)
  if(failed)
    without_page("npm ci failed; remove ${FOLDER} to try again\n${why}")
    return()
  endif()
  file(TOUCH ${installed})
endif()
execute_process(COMMAND ${NODE} ${VIEWER}/build.mjs ${FOLDER} ${FOLDER}/page.cpp
  COMMAND_ERROR_IS_FATAL ANY)
