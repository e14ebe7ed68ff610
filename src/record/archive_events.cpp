// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/recorder.h"

namespace tappet {

// The kind of an event is a text that lives as long as the program.
void archive_events(Archive& archive, std::vector<RecordedEvent>& events) {
  auto count = static_cast<long>(events.size());
  archive(count);
  if (archive.reads()) events.assign(count, {});
  for (RecordedEvent& event : events) {
    std::string kind(event.kind);
    archive(event.t, kind, event.contact, event.place);
    for (int k = 0; archive.reads() && k <= static_cast<int>(Event::Kind::switching); ++k)
      if (const std::string_view known = name(static_cast<Event::Kind>(k)); known == kind) event.kind = known;
  }
}

}  // namespace tappet
