# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0

cmake_minimum_required(VERSION 3.25)

# cmake -DROOT=folder -P english.cmake: fails if a text of the tree contains one of the phrases below. They stand for two
# habits that make sentences hard to read: riddles that only their author understands, and "a step" for "per step".
set(riddles
  "sought again" "says where\\." "is not theirs" "in which it wants" "touch so many" "solved apart[^.|]*: so many"
  "over 200 000 12 to 16" "killed program leaves" "nobody sleeps")

# "12 µs a step", "one problem a step", "once a frame". A word that can also be a verb ("solves a contact") is no unit.
set(counted "[0-9]|once|twice|problem|problems|iterations|instructions|factorisations|sweeps|bytes|s|ms|µs|ns|frames")
set(rate "(^|[ (])(${counted}) a (step|contact|frame|factorisation|second|sweep|core|solve|solution|sample)([ ,.;:)|]|$)")

function(look file)
  file(READ ${file} text)
  # Lines of one comment or paragraph become one line, so that a phrase is also found across a line break.
  string(REGEX REPLACE "\n *(//|#)? *" " " text "${text}")
  string(TOLOWER "${text}" lower)
  foreach(riddle ${riddles})
    if(lower MATCHES "${riddle}")
      list(APPEND wrong "${file}: \"${CMAKE_MATCH_0}\"")
    endif()
  endforeach()
  if(lower MATCHES "${rate}")
    string(STRIP "${CMAKE_MATCH_0}" found)
    list(APPEND wrong "${file}: \"${found}\" (write \"per\")")
  endif()
  set(wrong "${wrong}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE files ${ROOT}/src/*.h ${ROOT}/src/*.cpp ${ROOT}/app/*.h ${ROOT}/app/*.cpp ${ROOT}/test/*.h
  ${ROOT}/test/*.cpp ${ROOT}/bench/*.h ${ROOT}/bench/*.cpp ${ROOT}/viewer/src/*.ts ${ROOT}/models/*.yaml)
file(GLOB pages ${ROOT}/*.md ${ROOT}/docs/*.md ${ROOT}/viewer/*.md)
list(APPEND files ${pages})
list(LENGTH files count)
if(count LESS 300)
  message(FATAL_ERROR "only ${count} files were found in ${ROOT}")
endif()
set(wrong "")
foreach(file ${files})
  look(${file})
endforeach()

# The test tests itself: planted sentences must be found, and harmless ones must not.
set(planted "It takes 12 µs a step." "One problem a step." "Sought again they are another list." "(3 iterations a\n// step)")
set(harmless "It takes a step." "The scheme solves a contact problem." "It ends a step there." "Each of its steps is a step of dt.")
foreach(kind planted harmless)
  foreach(sentence ${${kind}})
    set(before "${wrong}")
    file(WRITE ${SCRATCH}/sentence.txt "${sentence}")
    look(${SCRATCH}/sentence.txt)
    if(kind STREQUAL "planted" AND wrong STREQUAL before)
      message(FATAL_ERROR "not found: ${sentence}")
    elseif(kind STREQUAL "harmless" AND NOT wrong STREQUAL before)
      message(FATAL_ERROR "a false alarm: ${sentence}")
    endif()
    set(wrong "${before}")
  endforeach()
endforeach()

if(wrong)
  list(JOIN wrong "\n  " wrong)
  message(FATAL_ERROR "phrases that are hard to read:\n  ${wrong}")
endif()
