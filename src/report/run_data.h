// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "record/result_source.h"
#include "report/contact_events.h"
#include "report/found_pairs.h"
#include "report/kept_samples.h"
#include "report/page_arrays.h"
#include "report/series.h"
#include "system/system.h"

namespace tappet {

// The data of the page that shows a run: a JSON object and the arrays to which it refers (docs/report-format.md). The
// report page and the studio show the same data.
class RunData {
 public:
  using Json = nlohmann::ordered_json;

  // `system` is the model as it was run, and `summary` the contents of summary.json. The caller keeps system and
  // result.
  RunData(const System& system, const ResultSource& result, Json summary);

  // At most about `most` samples are kept.
  Json write(long most, PageArrays& arrays) const;
  long samples() const { return result_.samples(); }
  long bytes_per_sample() const;  // before packing

 private:
  void find_events();
  void find_events(int contact);
  void settle_events();
  void add_found_forces(const std::vector<long>& samples, PageArrays& arrays, Json& list) const;
  std::string other_limits(const KeptSamples& kept, const Json& scene) const;
  Json head() const;
  Json contacts(PageArrays& arrays) const;
  Json curves(const std::vector<long>& samples, PageArrays& arrays) const;

  const System& system_;
  const ResultSource& result_;
  Json summary_, settings_;
  FoundPairs found_;
  std::vector<ResultSource::ListedEvent> listed_;  // by the scheme
  bool located_ = false;                           // whether it locates when contacts open, stick and slip
  std::vector<ContactEvents> events_;              // of the contacts of the file, then of pairs of colliders
  std::vector<long> failures_;                     // samples
  std::vector<long> marked_;
  std::vector<Series> series_;
};

// A JSON object, or an empty one if the text is none.
nlohmann::ordered_json json_object(const std::string& text);

}  // namespace tappet
