// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "model/kept.h"
#include "model/model.h"

namespace tappet {

class ParameterUses;

// The text of a model file, parsed once. It gives the model for any values of its parameters, several times faster than
// if the text were parsed again. One thread at a time may use it.
class ModelText {
 public:
  // Throws a ModelError. `types` are element types in addition to the built-in ones.
  ModelText(const std::string& text, const std::string& file, const ElementTypes& types = {});
  ~ModelText();

  // Throws a ModelError. If `uses` is given, it records which numbers follow from parameters that vary, and the graph
  // of the model is recorded into its stage.
  Model model(const Overrides& set = {}, ParameterUses* uses = nullptr) const;
  // The same, but these parameters stay inputs of its formulas. Fills the rest of `kept`.
  Model model(const Overrides& set, KeptParameters& kept) const;

 private:
  Model model(const Overrides& set, KeptParameters* kept, ParameterUses* uses) const;

  struct Inside;
  std::unique_ptr<Inside> inside_;
  ElementTypes types_;
};

}  // namespace tappet
