// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/element.h>
#include <tappet/error.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tappet {
namespace api {

// A parameter of the model by name, and the value it is to have: a number, or a formula as in the file ("2*pi/3").
struct Setting {
  std::string name, value;
  Setting(std::string parameter, std::string text) : name(std::move(parameter)), value(std::move(text)) {}
  Setting(std::string parameter, const char* text) : name(std::move(parameter)), value(text) {}
  Setting(std::string parameter, double number);
};
using Settings = std::vector<Setting>;

struct Parameter {
  std::string name;
  double value = 0.0;
};

// A model file that was read and understood. A Model never changes. It is cheap to copy, and any number of threads may
// use one.
class Model {
 public:
  const std::string& name() const;   // of the file, without folder and extension
  const std::string& title() const;  // as the file says; may be empty
  const std::string& file() const;
  const std::string& text() const;  // of the file
  std::vector<Parameter> parameters() const;
  std::vector<std::string> warnings() const;

  // The settings of the run that the file gives; 0 if it gives none.
  const std::string& scheme() const;
  double dt() const;
  double end() const;

  // The same text with other values for some parameters, beside those that were set when it was read.
  Model with(const Settings& parameters) const;

  struct Inside;  // of the library
  explicit Model(std::shared_ptr<const Inside> inside) : inside_(std::move(inside)) {}
  const Inside& inside() const { return *inside_; }

 private:
  std::shared_ptr<const Inside> inside_;
};

// Reads a model. `types` are element types of the program (element.h). A wrong model throws ModelError with file, line,
// column and key; a file that cannot be read throws std::runtime_error.
Model load(const std::filesystem::path& file, const Settings& parameters = {}, const ElementTypes& types = {});
// The same from a text. `name` stands for the file in messages, and files that the text names are sought beside it.
Model parse_model(const std::string& text, const std::string& name = "model.yaml", const Settings& parameters = {},
                  const ElementTypes& types = {});

// The files of the examples that ship, and the file of one of them by name. Throws UsageError, which suggests the
// nearest name, if there is none.
std::vector<std::filesystem::path> shipped_models();
std::filesystem::path find_example(const std::string& name);

}  // namespace api
}  // namespace tappet
