// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace tappet {

// The results of a run by the names that they have in result.h5 (docs/results.md), whether they stand in such a file
// or in memory.
class ResultSource {
 public:
  virtual ~ResultSource() = default;

  virtual long samples() const = 0;  // recorded steps and the start
  virtual bool has(const std::string& data) const = 0;
  virtual int width(const std::string& data) const = 0;         // the number of values per sample
  virtual long length(const std::string& data) const = 0;       // the number of rows; in most data sets that of samples
  virtual std::string text(const std::string& data) const = 0;  // "" if absent
  virtual std::string attribute(const std::string& name) const = 0;
  virtual double number(const std::string& name) const = 0;  // an attribute; 0 if absent
  // The names of the numbers of a sample; empty if there are none.
  virtual std::vector<std::string> names(const std::string& data) const = 0;
  virtual std::vector<std::string> units(const std::string& data) const = 0;

  // All numbers of the samples with these ascending indices, one sample after the other.
  virtual std::vector<double> rows(const std::string& data, std::span<const long> which) const = 0;
  // One number of every sample, or of a range of samples.
  std::vector<double> column(const std::string& data, int component = 0) const {
    return column(data, component, 0, samples());
  }
  virtual std::vector<double> column(const std::string& data, int component, long first, long count) const = 0;

  struct ListedEvent {
    double t;
    std::string kind, contact;
  };
  // The events that the scheme listed, in the order of time; empty if it lists none.
  virtual std::vector<ListedEvent> events() const = 0;
};

}  // namespace tappet
