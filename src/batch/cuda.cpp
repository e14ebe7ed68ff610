// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/cuda.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <tappet/error.h>

#include <stdexcept>

namespace tappet {

OpenedLibrary::OpenedLibrary(const std::vector<std::string>& names, const std::string& missing) {
  for (const std::string& name : names)
    if ((library_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL))) return;
  throw UsageError(fmt::format("--on gpu: {}; --on cpu needs no GPU", missing));
}

OpenedLibrary::~OpenedLibrary() {
  if (library_) ::dlclose(library_);
}

void* OpenedLibrary::symbol(const char* name) const {
  void* found = ::dlsym(library_, name);
  if (!found) throw UsageError(fmt::format("--on gpu: the CUDA library of this machine has no function {}", name));
  return found;
}

namespace {

// The types of CUDA are pointers and numbers. Only their sizes matter here.
using Status = int;
using Handle = void*;
using Address = unsigned long long;

std::vector<std::string> nvrtc_names() {
  std::vector<std::string> names{"libnvrtc.so"};
  for (const char* version : {"13", "12", "11.2", "11.8"}) names.push_back(fmt::format("libnvrtc.so.{}", version));
  for (const char* folder : {"/usr/local/cuda/lib64", "/usr/local/cuda/targets/x86_64-linux/lib"})
    names.push_back(fmt::format("{}/libnvrtc.so", folder));
  return names;
}

}  // namespace

Nvrtc::Nvrtc()
    : library_(
          nvrtc_names(),
          "NVRTC, the compiler library of CUDA, was not found; expected libnvrtc.so of a CUDA toolkit (11.2 or newer) "
          "in the library path") {}

std::string Nvrtc::version() const {
  int major = 0, minor = 0;
  library_.find<Status (*)(int*, int*)>("nvrtcVersion")(&major, &minor);
  return fmt::format("{}.{}", major, minor);
}

std::string Nvrtc::compile(const std::string& code, const std::string& architecture) const {
  Handle program = nullptr;
  const auto text_of = [&](const char* size_name, const char* name) {
    std::size_t size = 0;
    library_.find<Status (*)(Handle, std::size_t*)>(size_name)(program, &size);
    std::string text(size, '\0');
    library_.find<Status (*)(Handle, char*)>(name)(program, text.data());
    return text;
  };
  const auto create =
      library_.find<Status (*)(Handle*, const char*, const char*, int, const char* const*, const char* const*)>(
          "nvrtcCreateProgram");
  if (create(&program, code.c_str(), "batch.cu", 0, nullptr, nullptr) != 0)
    throw std::runtime_error("NVRTC cannot start a program");
  const std::string target = "--gpu-architecture=" + architecture;
  const char* options[] = {target.c_str(), "--std=c++17", "-default-device"};
  const Status status =
      library_.find<Status (*)(Handle, int, const char* const*)>("nvrtcCompileProgram")(program, 3, options);
  if (status != 0)
    throw std::runtime_error(fmt::format("NVRTC {} cannot compile the generated code for {}:\n{}", version(),
                                         architecture, text_of("nvrtcGetProgramLogSize", "nvrtcGetProgramLog")));
  std::string binary = text_of("nvrtcGetCUBINSize", "nvrtcGetCUBIN");
  library_.find<Status (*)(Handle*)>("nvrtcDestroyProgram")(&program);
  return binary;
}

CudaDriver::CudaDriver()
    : library_({"libcuda.so.1", "libcuda.so"},
               "the NVIDIA driver was not found (libcuda.so.1); expected a machine with a GPU and its driver") {
  const Status status = library_.find<Status (*)(unsigned)>("cuInit")(0);
  if (status == 0) library_.find<Status (*)(int*)>("cuDeviceGetCount")(&devices_);
  if (status != 0 || devices_ == 0)
    throw UsageError(
        fmt::format("--on gpu: the driver is there, but it finds no GPU (status {}); --on cpu needs no GPU", status));
}

void CudaDriver::check(int status, const std::string& what) const {
  if (status == 0) return;
  constexpr int out_of_memory = 2, too_large = 701;
  const char* text = nullptr;
  library_.find<Status (*)(Status, const char**)>("cuGetErrorString")(status, &text);
  std::string hint;
  if (status == out_of_memory) hint = "; expected more free memory on the GPU, because another program may use it";
  if (status == too_large) hint = "; the generated code needs more registers than the GPU has";
  throw std::runtime_error(fmt::format("{}: {}{}", what, text ? text : fmt::format("CUDA status {}", status), hint));
}

std::string CudaDriver::name(int device) const {
  char text[256] = {};
  library_.find<Status (*)(char*, int, int)>("cuDeviceGetName")(text, sizeof text - 1, device);
  return text;
}

std::string CudaDriver::version() const {
  int version = 0;
  library_.find<Status (*)(int*)>("cuDriverGetVersion")(&version);
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string CudaDriver::architecture(int device) const {
  constexpr int major_attribute = 75, minor_attribute = 76;
  const auto attribute = library_.find<Status (*)(int*, int, int)>("cuDeviceGetAttribute");
  int major = 0, minor = 0;
  check(attribute(&major, major_attribute, device), "asking the GPU for its architecture");
  check(attribute(&minor, minor_attribute, device), "asking the GPU for its architecture");
  return fmt::format("sm_{}{}", major, minor);
}

int CudaDriver::multiprocessors(int device) const {
  constexpr int count_attribute = 16;
  int count = 0;
  check(library_.find<Status (*)(int*, int, int)>("cuDeviceGetAttribute")(&count, count_attribute, device),
        "asking the GPU for its multiprocessors");
  return count;
}

std::size_t CudaDriver::free_memory(const CudaKernel& kernel) const {
  std::size_t free = 0, all = 0;
  check(library_.find<Status (*)(Handle)>("cuCtxSetCurrent")(kernel.context), "choosing the GPU");
  check(library_.find<Status (*)(std::size_t*, std::size_t*)>("cuMemGetInfo_v2")(&free, &all),
        "asking for free memory");
  return free;
}

CudaKernel CudaDriver::load(int device, const std::string& binary) const {
  constexpr int local_attribute = 3, registers_attribute = 4;
  CudaKernel kernel{.device = device};
  check(library_.find<Status (*)(Handle*, int)>("cuDevicePrimaryCtxRetain")(&kernel.context, device),
        fmt::format("opening {}", name(device)));
  check(library_.find<Status (*)(Handle)>("cuCtxSetCurrent")(kernel.context), "choosing the GPU");
  check(library_.find<Status (*)(Handle*, const void*)>("cuModuleLoadData")(&kernel.module, binary.data()),
        "loading the generated code");
  check(library_.find<Status (*)(Handle*, Handle, const char*)>("cuModuleGetFunction")(&kernel.function, kernel.module,
                                                                                       "tappet_batch"),
        "finding the kernel");
  const auto attribute = library_.find<Status (*)(int*, int, Handle)>("cuFuncGetAttribute");
  attribute(&kernel.registers, registers_attribute, kernel.function);
  attribute(&kernel.local_bytes, local_attribute, kernel.function);
  return kernel;
}

void CudaDriver::unload(CudaKernel& kernel) const {
  library_.find<Status (*)(Handle)>("cuCtxSetCurrent")(kernel.context);
  library_.find<Status (*)(Handle)>("cuModuleUnload")(kernel.module);
  library_.find<Status (*)(int)>("cuDevicePrimaryCtxRelease_v2")(kernel.device);
}

CudaJob CudaDriver::start(CudaKernel& kernel, const BatchSettings& settings, const std::vector<double>& values,
                          int outputs, long count) const {
  constexpr unsigned block = 128;
  const auto allocate = library_.find<Status (*)(Address*, std::size_t)>("cuMemAlloc_v2");
  CudaJob job{.kernel = &kernel, .count = count, .outputs = outputs};
  const std::string what = fmt::format("memory for {} instances", count);
  check(library_.find<Status (*)(Handle)>("cuCtxSetCurrent")(kernel.context), "choosing the GPU");
  check(allocate(&job.values, std::max<std::size_t>(8, values.size() * sizeof(double))), what);
  check(allocate(&job.out, sizeof(double) * outputs * count), what);
  check(library_.find<Status (*)(Address, const void*, std::size_t)>("cuMemcpyHtoD_v2")(job.values, values.data(),
                                                                                        values.size() * sizeof(double)),
        "copying values to the GPU");
  BatchSettings own = settings;
  long long instances = count;
  void* arguments[] = {&own, &job.values, &job.out, &instances};
  using Launch =
      Status (*)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle, void**, void**);
  job.started = std::chrono::steady_clock::now();
  check(library_.find<Launch>("cuLaunchKernel")(kernel.function, static_cast<unsigned>((count + block - 1) / block), 1,
                                                1, block, 1, 1, 0, nullptr, arguments, nullptr),
        "starting the kernel");
  return job;
}

std::vector<double> CudaDriver::finish(CudaJob& job) const {
  check(library_.find<Status (*)(Handle)>("cuCtxSetCurrent")(job.kernel->context), "choosing the GPU");
  check(library_.find<Status (*)()>("cuCtxSynchronize")(), "running the kernel");
  job.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - job.started).count();
  std::vector<double> out(job.outputs * job.count);
  check(library_.find<Status (*)(void*, Address, std::size_t)>("cuMemcpyDtoH_v2")(out.data(), job.out,
                                                                                  out.size() * sizeof(double)),
        "copying results from the GPU");
  const auto release = library_.find<Status (*)(Address)>("cuMemFree_v2");
  release(job.values), release(job.out);
  return out;
}

}  // namespace tappet
