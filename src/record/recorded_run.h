// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>

#include "record/recorder.h"
#include "record/result_source.h"

namespace tappet {

// A run that is kept in memory, with the names of result.h5. It may be read while the run goes on, between two steps;
// it then holds what was recorded until then.
class RecordedRun final : public ResultSource {
 public:
  // The caller keeps both.
  RecordedRun(const Recorded& recorded, const RunHeader& header);

  long samples() const override { return recorded_.samples(); }
  bool has(const std::string& data) const override { return places_.contains(data); }
  int width(const std::string& data) const override { return place(data).width; }
  long length(const std::string& data) const override { return place(data).rows(); }
  std::string text(const std::string& data) const override;
  std::string attribute(const std::string& name) const override;
  double number(const std::string& name) const override;
  std::vector<std::string> names(const std::string& data) const override;
  std::vector<std::string> units(const std::string& data) const override;
  std::vector<double> rows(const std::string& data, std::span<const long> which) const override;
  using ResultSource::column;
  std::vector<double> column(const std::string& data, int component, long first, long count) const override;
  std::vector<ListedEvent> events() const override;

 private:
  // Where a number of a data set is. If there is no table, `value` computes it.
  struct Place {
    int width = 1;
    std::function<long()> rows;
    const RecordedTable* table = nullptr;
    int first = 0;  // column of the table
    std::function<double(long row, int component)> value = {};
    template <class Use>
    void read(const Use& use) const;
  };
  const Place& place(const std::string& data) const;
  void add(const std::string& data, const RecordedTable& table, int first, int width = 1);
  void add_contacts();
  void add_joints();
  void add_found();

  const Recorded& recorded_;
  const RunHeader& header_;
  std::map<std::string, Place> places_;
};

}  // namespace tappet
