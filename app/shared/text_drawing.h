// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tappet {

class PlanarProfile;

// A flat part as lines of text. Each character has eight dots (Braille patterns), so a part of 40 characters is 80 dots
// wide. The last line is a scale.
std::string text_drawing(const PlanarProfile& profile);

}  // namespace tappet
