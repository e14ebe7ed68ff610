# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0

# OpenCASCADE reads STEP files for `tappet import`. It is used if it is installed (Debian: libocct-data-exchange-dev and
# libocct-modeling-algorithms-dev, 180 MB); only the program tappet-step-reader and its test need it.
find_path(OPENCASCADE_INCLUDE STEPControl_Reader.hxx PATH_SUFFIXES opencascade)
mark_as_advanced(OPENCASCADE_INCLUDE)
set(libraries)
foreach(name TKSTEP TKSTEPBase TKXSBase TKMesh TKBO TKBool TKPrim TKTopAlgo TKBRep TKGeomAlgo TKGeomBase TKG3d TKG2d TKMath
    TKernel)
  find_library(OPENCASCADE_${name} ${name})
  mark_as_advanced(OPENCASCADE_${name})
  list(APPEND libraries ${OPENCASCADE_${name}})
endforeach()
if(OPENCASCADE_INCLUDE AND NOT "${libraries}" MATCHES NOTFOUND)
  add_library(tappet_opencascade INTERFACE)
  target_include_directories(tappet_opencascade SYSTEM INTERFACE ${OPENCASCADE_INCLUDE})
  target_link_libraries(tappet_opencascade INTERFACE ${libraries})
endif()
