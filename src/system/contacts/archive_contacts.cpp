// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/contact_list.h"

namespace tappet {

void ContactList::archive(Archive& a) {
  a.mark("contacts");
  bool searched = world_ != nullptr;
  a(applied_, searched);
  if (sleepers_) a(*sleepers_);
  if (!searched) return;
  if (a.reads()) make_world();
  a(*world_, margins_, touches_);
  if (a.reads()) {
    for (TouchPoint& touch : touches_) world_->locate_terrain(touch);
    list_found();
  }
  for (int k = named_; k < size(); ++k) a(list_[k].before, list_[k].row_before);
  a(searches_, layout_, version_);
}

}  // namespace tappet
