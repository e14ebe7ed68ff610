# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0

# The pages of runs and studies (viewer/) as a source file of `target`. They are bundled with Node if Node is installed,
# otherwise they are empty. So the library never needs Node.
option(TAPPET_PAGE "Bundle the report page into the program (needs node and npm)" ON)
find_program(TAPPET_NODE NAMES node nodejs)
find_program(TAPPET_NPM npm)
find_program(TAPPET_CHROMIUM NAMES chromium chromium-browser google-chrome)

set(tappet_page_folder ${CMAKE_BINARY_DIR}/page)
set(tappet_page_script ${CMAKE_CURRENT_LIST_DIR}/page.cmake)

function(tappet_page target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    return()
  endif()
  set(source ${tappet_page_folder}/page.cpp)
  set(viewer ${CMAKE_SOURCE_DIR}/viewer)
  if(TAPPET_PAGE AND TAPPET_NODE AND TAPPET_NPM)
    file(GLOB_RECURSE inputs CONFIGURE_DEPENDS ${viewer}/src/*)
    add_custom_command(OUTPUT ${source} ${tappet_page_folder}/report.html ${tappet_page_folder}/study.html
        ${tappet_page_folder}/orbits.html ${tappet_page_folder}/studio.html
      COMMAND ${CMAKE_COMMAND} -D NODE=${TAPPET_NODE} -D NPM=${TAPPET_NPM} -D VIEWER=${viewer}
              -D FOLDER=${tappet_page_folder} -P ${tappet_page_script}
      DEPENDS ${inputs} ${viewer}/package-lock.json ${viewer}/build.mjs ${tappet_page_script}
      COMMENT "Bundling the report page" VERBATIM)
  else()
    message(NOTICE "-- Building without the report page: it is switched off, or node and npm were not found (Debian: nodejs, npm)")
    execute_process(COMMAND ${CMAKE_COMMAND} -D FOLDER=${tappet_page_folder} -P ${tappet_page_script})
  endif()
  target_sources(${target} PRIVATE ${source})
  set_source_files_properties(${source} PROPERTIES GENERATED ON)
endfunction()

# Tests of the page: types, and the page itself in Chromium.
function(tappet_page_tests target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY" OR NOT (TAPPET_PAGE AND TAPPET_NODE AND TAPPET_NPM))
    return()
  endif()
  set(viewer ${CMAKE_SOURCE_DIR}/viewer)
  add_test(NAME viewer_types COMMAND ${TAPPET_NODE} node_modules/typescript/bin/tsc --noEmit WORKING_DIRECTORY ${viewer})
  if(TAPPET_CHROMIUM)
    add_test(NAME viewer_page COMMAND ${TAPPET_NODE} --test test/page.test.mjs WORKING_DIRECTORY ${viewer})
    set_tests_properties(viewer_page PROPERTIES TIMEOUT 300 PROCESSORS 2
      ENVIRONMENT "TAPPET_PAGE=${tappet_page_folder}/report.html;CHROMIUM=${TAPPET_CHROMIUM}")
    add_test(NAME viewer_crowd COMMAND ${TAPPET_NODE} --test test/crowd.test.mjs WORKING_DIRECTORY ${viewer})
    set_tests_properties(viewer_crowd PROPERTIES TIMEOUT 120 PROCESSORS 2 RUN_SERIAL ON
      ENVIRONMENT "TAPPET_PAGE=${tappet_page_folder}/report.html;CHROMIUM=${TAPPET_CHROMIUM}")
    foreach(part model_text curve_path)
      add_test(NAME viewer_${part} COMMAND ${TAPPET_NODE} --test test/${part}.test.mjs WORKING_DIRECTORY ${viewer})
    endforeach()
    add_test(NAME viewer_study COMMAND ${TAPPET_NODE} --test test/study.test.mjs WORKING_DIRECTORY ${viewer})
    set_tests_properties(viewer_study PROPERTIES TIMEOUT 300 PROCESSORS 2
      ENVIRONMENT "TAPPET_STUDY_PAGE=${tappet_page_folder}/study.html;CHROMIUM=${TAPPET_CHROMIUM}")
    add_test(NAME viewer_orbits COMMAND ${TAPPET_NODE} --test test/orbits.test.mjs WORKING_DIRECTORY ${viewer})
    set_tests_properties(viewer_orbits PROPERTIES TIMEOUT 120 PROCESSORS 2
      ENVIRONMENT "TAPPET_ORBITS_PAGE=${tappet_page_folder}/orbits.html;CHROMIUM=${TAPPET_CHROMIUM}")
    if(TARGET tappet)
      file(GLOB models CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/models/*.yaml ${CMAKE_SOURCE_DIR}/models/*/*.yaml)
      string(REPLACE ";" "\\;" models "${models}")
      add_test(NAME viewer_runs COMMAND ${TAPPET_NODE} --test test/runs.test.mjs WORKING_DIRECTORY ${viewer})
      set_tests_properties(viewer_runs PROPERTIES TIMEOUT 600 PROCESSORS 2
        ENVIRONMENT "TAPPET_PROGRAM=$<TARGET_FILE:tappet>;TAPPET_MODELS=${models};CHROMIUM=${TAPPET_CHROMIUM}")
      foreach(part study_served studio_server studio studio_latency studio_tools studio_life studio_access)
        add_test(NAME viewer_${part} COMMAND ${TAPPET_NODE} --test test/${part}.test.mjs WORKING_DIRECTORY ${viewer})
        set_tests_properties(viewer_${part} PROPERTIES TIMEOUT 1600 PROCESSORS 2 RUN_SERIAL ON
          ENVIRONMENT "TAPPET_PROGRAM=$<TARGET_FILE:tappet>;CHROMIUM=${TAPPET_CHROMIUM}")
      endforeach()
    endif()
  else()
    message(NOTICE "-- The browser tests of the report page are left out: Chromium was not found (Debian: chromium)")
  endif()
endfunction()
