// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tinyxml2.h>

#include <string>
#include <vector>

namespace tappet::urdf {

// What a link or a joint says, at any depth, that the reader does not know: attributes and elements, each with its
// line. Elements directly in the link or joint are not listed, because the reader names them itself.
std::vector<std::string> unread(const tinyxml2::XMLElement& link_or_joint);

}  // namespace tappet::urdf
