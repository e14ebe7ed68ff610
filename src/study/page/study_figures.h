// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "judge/gallery.h"

namespace tappet {

// Carries out the studies of an example that come with Tappet, and draws each measure over the first parameter that
// varies: a bifurcation diagram if the measure has many values.
std::vector<GalleryFigure> study_figures(const std::string& model, int threads, const std::atomic<bool>* stop);

}  // namespace tappet
