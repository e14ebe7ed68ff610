// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Empty: the targets tappet_precompiled and test_precompiled exist for their precompiled headers.
