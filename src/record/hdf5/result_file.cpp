// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/hdf5/result_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace tappet {

using hdf5::Handle;

namespace {

constexpr long block_bytes = 4 << 20;

// HDF5 prints its error stack unless this is switched off. Our exceptions say what failed.
struct Quiet {
  H5E_auto2_t function;
  void* data;
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &function, &data);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function, data); }
};

Handle open_file(const std::filesystem::path& path) {
  const Quiet quiet;
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, hdf5::without_cache()), H5Fclose,
          fmt::format("{}: not a result file", path.string())};
}
Handle open_data(hid_t file, const std::string& name) {
  return {H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, "result file: no data set " + name};
}
std::vector<hsize_t> extent(hid_t data) {
  const Handle space(H5Dget_space(data), H5Sclose, "extent of a data set");
  std::vector<hsize_t> sizes(std::max(1, H5Sget_simple_extent_ndims(space)), 1);
  H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  return sizes;
}

}  // namespace

ResultFile::ResultFile(const std::filesystem::path& file, const std::string& index)
    : path_(file), file_(open_file(file)) {
  if (!has(index))
    throw std::runtime_error(
        fmt::format("{}: not a result file: no {}", file.string(), index == "t" ? "times" : "data set " + index));
  samples_ = length(index);
}

const ResultFile::Data& ResultFile::data(const std::string& name) const {
  const auto known = open_.find(name);
  if (known != open_.end()) return known->second;
  Handle object = open_data(file_, name);
  const auto sizes = extent(object);
  const int width = sizes.size() < 2 ? 1 : static_cast<int>(sizes[1]);
  return open_.emplace(name, Data{std::move(object), static_cast<long>(sizes[0]), width}).first->second;
}

bool ResultFile::has(const std::string& data) const {
  if (open_.contains(data)) return true;
  // opens every group on the way; otherwise HDF5 complains
  for (size_t end = data.find('/');; end = data.find('/', end + 1)) {
    const std::string part = data.substr(0, end);
    if (!part.empty() && H5Lexists(file_, part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

int ResultFile::width(const std::string& name) const { return data(name).width; }

long ResultFile::length(const std::string& name) const { return data(name).rows; }

std::vector<std::string> ResultFile::texts(hid_t object) const {
  const bool is_data = H5Iget_type(object) == H5I_DATASET;
  const Handle type(is_data ? H5Dget_type(object) : H5Aget_type(object), H5Tclose, "type of a text");
  const Handle space(is_data ? H5Dget_space(object) : H5Aget_space(object), H5Sclose, "extent of a text");
  const auto read = [&](hid_t memory, void* to) {
    hdf5::check(is_data ? H5Dread(object, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) : H5Aread(object, memory, to),
                "read a text");
  };
  if (H5Tget_class(type) != H5T_STRING) return {};
  const size_t count = static_cast<size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space)));
  std::vector<std::string> result;
  if (count == 0) return result;
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> raw(count, nullptr);
    read(type, raw.data());
    for (const char* text : raw) result.emplace_back(text ? text : "");
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, raw.data());
    return result;
  }
  const size_t size = H5Tget_size(type);
  std::string raw(count * size, '\0');
  read(type, raw.data());
  for (size_t i = 0; i < count; ++i) {
    std::string text = raw.substr(i * size, size);
    result.push_back(text.substr(0, text.find('\0')));
  }
  return result;
}

std::string ResultFile::text(const std::string& data) const {
  if (!has(data)) return {};
  const auto all = texts(open_data(file_, data));
  return all.empty() ? std::string() : all[0];
}

std::string ResultFile::attribute(const std::string& name) const {
  if (H5Aexists(file_, name.c_str()) <= 0) return {};
  const auto all = texts(Handle(H5Aopen(file_, name.c_str(), H5P_DEFAULT), H5Aclose, "attribute " + name));
  return all.empty() ? std::string() : all[0];
}

double ResultFile::number(const std::string& name) const {
  if (H5Aexists(file_, name.c_str()) <= 0) return 0.0;
  const Handle attribute(H5Aopen(file_, name.c_str(), H5P_DEFAULT), H5Aclose, "attribute " + name);
  double value = 0.0;
  hdf5::check(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value), "read attribute " + name);
  return value;
}

std::vector<std::string> ResultFile::listed(const std::string& data, const char* attribute) const {
  const std::string beside = data + "_" + attribute;  // used if there were too many for an attribute
  if (has(beside)) return texts(open_data(file_, beside));
  if (!has(data)) return {};
  const Handle object = open_data(file_, data);
  if (H5Aexists(object, attribute) <= 0) return {};
  return texts(Handle(H5Aopen(object, attribute, H5P_DEFAULT), H5Aclose, "names of " + data));
}
std::vector<std::string> ResultFile::names(const std::string& data) const { return listed(data, "names"); }
std::vector<std::string> ResultFile::units(const std::string& data) const { return listed(data, "units"); }

std::vector<std::string> ResultFile::groups(const std::string& parent) const {
  if (!has(parent)) return {};
  std::vector<std::string> names;
  const auto add = [](hid_t group, const char* name, const H5L_info_t*, void* to) -> herr_t {
    static_cast<std::vector<std::string>*>(to)->push_back(name);
    return 0;
  };
  hdf5::check(H5Literate_by_name(file_, parent.c_str(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names, H5P_DEFAULT),
              "list " + parent);
  for (std::string& name : names) {  // the name of a group is written with %XX; its attribute is not
    const Handle group(H5Gopen2(file_, (parent + "/" + name).c_str(), H5P_DEFAULT), H5Gclose, "group " + name);
    if (H5Aexists(group, "name") <= 0) continue;
    const auto all = texts(Handle(H5Aopen(group, "name", H5P_DEFAULT), H5Aclose, "name of " + name));
    if (!all.empty()) name = all[0];
  }
  return names;
}

// take.wanted(first, rows) says whether to read a block. take.take(first, rows, width, numbers) receives it.
template <class Take>
void ResultFile::blocks(const std::string& name, long from, long to, Take&& take) const {
  const Data& data = this->data(name);
  const hsize_t width = data.width;
  const hsize_t rows = std::min<hsize_t>(data.rows, to);
  const hsize_t step = std::max<hsize_t>(1, block_bytes / (8 * std::max<hsize_t>(1, width)));
  const Handle space(H5Dget_space(data.object), H5Sclose, "extent of " + name);
  const int dimensions = H5Sget_simple_extent_ndims(space);
  std::vector<double> numbers;
  for (hsize_t first = from; first < rows; first += step) {
    const hsize_t count = std::min(step, rows - first);
    if (!take.wanted(static_cast<long>(first), static_cast<long>(count))) continue;
    const hsize_t start[2] = {first, 0}, shape[2] = {count, width};
    hdf5::check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, shape, nullptr), "select in " + name);
    const Handle memory(H5Screate_simple(dimensions, shape, nullptr), H5Sclose, "memory");
    numbers.resize(count * width);
    hdf5::check(H5Dread(data.object, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers.data()), "read " + name);
    take.take(static_cast<long>(first), static_cast<long>(count), static_cast<int>(width), numbers.data());
  }
}

std::vector<ResultFile::ListedEvent> ResultFile::events() const {
  if (!has("events/t")) return {};
  const Handle times = open_data(file_, "events/t");
  std::vector<double> t(extent(times)[0]);
  if (t.empty()) return {};
  hdf5::check(H5Dread(times, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, t.data()), "read events/t");
  const auto kind = texts(open_data(file_, "events/kind")), contact = texts(open_data(file_, "events/contact"));
  std::vector<ListedEvent> all;
  for (size_t i = 0; i < std::min({t.size(), kind.size(), contact.size()}); ++i)
    all.push_back({t[i], kind[i], contact[i]});
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.t < b.t; });
  return all;
}

std::vector<double> ResultFile::rows(const std::string& data, std::span<const long> which) const {
  struct Pick {
    std::span<const long> which;
    std::vector<double>& result;
    size_t next = 0;
    bool wanted(long first, long count) const { return next < which.size() && which[next] < first + count; }
    void take(long first, long count, int width, const double* numbers) {
      for (; next < which.size() && which[next] < first + count; ++next) {
        const double* row = numbers + (which[next] - first) * width;
        result.insert(result.end(), row, row + width);
      }
    }
  };
  std::vector<double> result;
  result.reserve(which.size() * width(data));
  blocks(data, 0, samples_, Pick{which, result});
  result.resize(which.size() * width(data));
  return result;
}

std::vector<double> ResultFile::column(const std::string& data, int component, long first, long count) const {
  struct All {
    int component;
    long first;
    std::vector<double>& result;
    bool wanted(long, long) const { return true; }
    void take(long begin, long rows, int width, const double* numbers) {
      for (long i = 0; i < rows; ++i) result[begin - first + i] = numbers[i * width + component];
    }
  };
  std::vector<double> result(count, 0.0);
  blocks(data, first, first + count, All{component, first, result});
  return result;
}

}  // namespace tappet
