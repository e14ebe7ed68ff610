// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "judge/reproduction.h"
#include "model/reading/item.h"
#include "model/reading/values.h"

namespace tappet {

// Fills a reproduction from its file. Every function throws a ModelError if the file does not hold what is asked for.
class ReproductionLoader {
 public:
  ReproductionLoader(const Item& root, Reproduction& result)
      : root_(root), values_(root.find("parameters"), {}, root.source()), result_(result) {}

  void load();

 private:
  RunFamily family(const Item& item) const;
  template <class Set>
  void spread(RunFamily& family, const Item& item, const std::string& name, Set set) const;
  int run_named(const Item& item) const;
  void refuse_idle_runs() const;
  std::string measure(const Item& item, const std::string& name, const std::vector<std::string>& other_keys);
  Check check(const Item& item);
  void read_published(const Item& item, Check& check) const;
  void read_reference(const Item& item, bool as_numbers, Check& check) const;
  void read_within(const Item& item, Check& check) const;
  Figure figure(const Item& item) const;

  void check_formula(const Item& formula) const;
  std::vector<double> numbers(const Item& item) const;
  std::string plain(const Item& item) const;
  static std::vector<PlacedText> texts(const Item& item);
  static std::string text(const Item& item, const std::string& key);  // "" if there is none
  static std::vector<Item> one_or_more(const Item& item);

  const Item& root_;
  Values values_;
  Reproduction& result_;
};

}  // namespace tappet
