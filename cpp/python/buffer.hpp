// A numpy array, borrowed through the buffer protocol for as long as this object lives.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>

#include "../refusal.hpp"

namespace noregret {

class Buffer {
 public:
  Buffer(nanobind::handle array, const char* role, bool writable = false) : role_(role) {
    const int flags = PyBUF_STRIDES | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(array.ptr(), &view_, flags) != 0) {
      PyErr_Clear();
      throw Refusal("BadType", std::string(role) + " must be a numeric numpy array");
    }
  }
  ~Buffer() { PyBuffer_Release(&view_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  int dimensions() const { return view_.ndim; }
  std::size_t length(int axis = 0) const { return axis < view_.ndim ? static_cast<std::size_t>(view_.shape[axis]) : 0; }

  template <class T>
  bool holds() const {
    return view_.itemsize == static_cast<Py_ssize_t>(sizeof(T)) && matches<T>(code());
  }

  // The elements of a one-dimensional array without gaps.
  template <class T>
  T* data() const {
    if (!holds<T>() || view_.ndim != 1 || (view_.shape[0] > 1 && view_.strides[0] != view_.itemsize)) {
      throw Refusal("BadType", std::string(role_) + " must be a contiguous one-dimensional array of the right type");
    }
    return static_cast<T*>(view_.buf);
  }
  template <class T>
  const T* start() const {
    return static_cast<const T*>(view_.buf);
  }
  // In elements, not in bytes.
  std::ptrdiff_t stride(int axis) const {
    if (view_.strides[axis] % view_.itemsize != 0) throw Refusal("BadType", std::string(role_) + " has an odd stride");
    return view_.strides[axis] / view_.itemsize;
  }

 private:
  char code() const {
    const char* format = view_.format ? view_.format : "B";
    if (*format == '@' || *format == '=' || *format == '<') ++format;
    return format[0] != '\0' && format[1] == '\0' ? format[0] : '?';
  }
  template <class T>
  static bool matches(char code) {
    if constexpr (std::is_floating_point_v<T>) return code == (sizeof(T) == 8 ? 'd' : 'f');
    if constexpr (std::is_unsigned_v<T>) return code == 'B' || code == 'I' || code == 'L' || code == 'Q';
    return code == 'i' || code == 'l' || code == 'q' || code == 'b';
  }

  const char* role_;
  Py_buffer view_;
};

}  // namespace noregret
