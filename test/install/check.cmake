# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
# Installs BUILD into SCRATCH/prefix, builds SOURCE against it with GENERATOR and CXX, runs the result.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()
file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${SCRATCH}/build -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release
  -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix)
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${SCRATCH}/build/consumer ${SCRATCH}/prefix/share/tappet/models/first_model.yaml)
run(${SCRATCH}/prefix/bin/tappet --version)
run(${CMAKE_COMMAND} -E env --unset=TAPPET_MODELS ${SCRATCH}/prefix/bin/tappet models)
file(REMOVE_RECURSE ${SCRATCH})
