// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tappet {

// When a program ends, the HDF5 library closes the files that are still open. It crashes there if a file could not be
// closed before because the disk was full, and the exit code is lost. Tappet closes all its files itself, so its
// programs call this before anything else of HDF5 is used.
void leave_hdf5_alone_at_exit();

}  // namespace tappet
