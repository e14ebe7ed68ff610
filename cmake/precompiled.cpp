// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Empty: the target tappet_precompiled exists for its precompiled headers.
