// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/quotation.h"

#include <cctype>
#include <cmath>
#include <regex>

namespace tappet {

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// Writes minus signs, multiplication signs and braces in one way.
std::string plain(std::string text) {
  for (const char* minus : {"−", "–"}) text = replaced(text, minus, "-");
  for (const char* times : {"×", "·", "\\cdot", "\\times"}) text = replaced(text, times, "*");
  for (const char* nothing : {"{", "}", "$", "^"}) text = replaced(text, nothing, "");
  return text;
}

std::string letters_and_digits(const std::string& text) {
  std::string result;
  for (const unsigned char c : text)
    if (std::isalnum(c) != 0) result += static_cast<char>(std::tolower(c));
  return result;
}

std::vector<std::string> parts_of(const std::string& passage) {
  static const std::string gap = "…";
  std::vector<std::string> parts;
  size_t from = 0;
  for (size_t at = 0; (at = passage.find(gap, from)) != std::string::npos; from = at + gap.size())
    parts.push_back(letters_and_digits(passage.substr(from, at - from)));
  parts.push_back(letters_and_digits(passage.substr(from)));
  std::erase_if(parts, [](const std::string& part) { return part.empty(); });
  return parts;
}

bool follow_each_other(const std::string& text, size_t from, const std::vector<std::string>& parts) {
  constexpr size_t near = 3000;  // the number of letters that may be left out between two parts
  size_t at = from + parts[0].size();
  for (size_t k = 1; k < parts.size(); ++k) {
    const size_t found = text.find(parts[k], at);
    if (found == std::string::npos || found - at > near) return false;
    at = found + parts[k].size();
  }
  return true;
}

}  // namespace

std::vector<double> numbers_in(const std::string& passage) {
  static const std::regex number(
      R"((^|[^A-Za-z0-9.])(-?)\s*(\d+(?:\.\d+)?)(?:\s*\*\s*10\s*(-?\s*\d+)|e\s*([-+]?\s*\d+))?)");
  static const std::regex power(R"((^|[^A-Za-z0-9.*])\s*10\s*-\s*(\d+))");
  const std::string text = plain(passage);
  std::vector<double> result;
  const auto exponent = [](const std::string& digits) { return std::stod(replaced(digits, " ", "")); };
  for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it) {
    const std::smatch& m = *it;
    const std::string digits = m[3].str();
    const std::string tens = m[4].matched ? m[4].str() : m[5].matched ? m[5].str() : "0";
    const double value = std::stod(digits + "e" + std::to_string(static_cast<int>(exponent(tens))));
    result.push_back(m[2].length() > 0 ? -value : value);
  }
  for (std::sregex_iterator it(text.begin(), text.end(), power), end; it != end; ++it)
    result.push_back(std::stod("1e-" + (*it)[2].str()));
  return result;
}

bool prints(const std::string& passage, double number) {
  for (const double printed : numbers_in(passage))
    if (std::abs(printed - number) <= 1e-12 * std::abs(number)) return true;
  return false;
}

bool holds_passage(const std::string& text, const std::string& passage) {
  const std::string all = letters_and_digits(text);
  const std::vector<std::string> parts = parts_of(passage);
  if (parts.empty()) return false;
  for (size_t at = 0; (at = all.find(parts[0], at)) != std::string::npos; ++at)
    if (follow_each_other(all, at, parts)) return true;
  return false;
}

}  // namespace tappet
