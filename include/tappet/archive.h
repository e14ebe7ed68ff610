// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/error.h>
#include <tappet/vec.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tappet {

// The state of a computation as bytes. One function of a class writes its members and reads them back, so nothing can
// be forgotten on one of the two sides:
//   void archive(Archive& a) { a(differences_, dt_, steps_); }
// Numbers, plain structures of numbers, texts, vectors, pairs and classes with such a function can be archived. Numbers
// keep their bits.
class Archive {
 public:
  enum class Purpose {
    write,
    read,
    settle,  // Nothing is written. What only saves time is dropped, such as the factors of the last contact problem.
  };

  explicit Archive(Purpose purpose = Purpose::write) : purpose_(purpose) {}
  static Archive reading(std::string bytes) {
    Archive archive(Purpose::read);
    archive.bytes_ = std::move(bytes);
    return archive;
  }

  bool reads() const { return purpose_ == Purpose::read; }
  bool settles() const { return purpose_ == Purpose::settle; }
  const std::string& bytes() const { return bytes_; }
  bool is_at_end() const { return at_ == bytes_.size(); }

  template <class... T>
  void operator()(T&... values) {
    (value(values), ...);
  }

  // A word between two parts. If another one is read, the archive belongs to another program or another model.
  void mark(std::string_view word) {
    std::string found(word);
    value(found);
    if (reads() && found != word) fail();
  }

 private:
  template <class T>
  static constexpr bool is_plain =
      std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !requires(T & x, Archive& a) {
    x.archive(a);
  };

  template <class T>
  void value(T& x) {
    if constexpr (requires { x.archive(*this); }) {
      x.archive(*this);
    } else {
      static_assert(is_plain<T>, "this type has no function archive()");
      raw(&x, sizeof x);
    }
  }
  void value(Vec& x) {
    int size = x.size();
    value(size);
    if (reads()) check(size, sizeof(double)), x.assign(size, 0.0);
    raw(x.data(), sizeof(double) * x.size());
  }
  void value(std::string& x) {
    list_size(x, 1);
    raw(x.data(), x.size());
  }
  template <class T>
  void value(std::vector<T>& list) {
    list_size(list, is_plain<T> ? sizeof(T) : 0);
    if constexpr (is_plain<T>)
      raw(list.data(), sizeof(T) * list.size());
    else
      for (T& x : list) value(x);
  }
  template <class A, class B>
  void value(std::pair<A, B>& x) {
    value(x.first), value(x.second);
  }

  template <class List>
  void list_size(List& list, size_t bytes_of_entry) {
    std::int64_t size = static_cast<std::int64_t>(list.size());
    value(size);
    if (reads()) check(size, bytes_of_entry), list.resize(static_cast<size_t>(size));
  }
  void check(std::int64_t size, size_t bytes_of_entry) const {  // before memory is reserved
    constexpr std::int64_t most = std::int64_t{1} << 40;
    if (size < 0 || size > most || static_cast<size_t>(size) * bytes_of_entry > bytes_.size() - at_) fail();
  }
  void raw(void* data, size_t size) {
    if (size == 0 || settles()) return;
    if (!reads()) {
      bytes_.append(reinterpret_cast<const char*>(data), size);
      return;
    }
    if (size > bytes_.size() - at_) fail();
    std::memcpy(data, bytes_.data() + at_, size);
    at_ += size;
  }
  [[noreturn]] static void fail() {
    throw UsageError("the checkpoint does not belong to this program and this model; expected the same of both");
  }

  Purpose purpose_;
  std::string bytes_;
  size_t at_ = 0;
};

}  // namespace tappet
