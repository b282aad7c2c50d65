// Bytes that Python lends: bytes, bytearray or memoryview.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>

#include "../refusal.hpp"

namespace noregret {

class Text {
 public:
  explicit Text(nanobind::handle bytes) {
    if (PyObject_GetBuffer(bytes.ptr(), &view_, PyBUF_SIMPLE) != 0) {
      PyErr_Clear();
      throw Refusal("BadType", "text to be parsed must be bytes");
    }
  }
  ~Text() { PyBuffer_Release(&view_); }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  std::string_view view() const { return {static_cast<const char*>(view_.buf), static_cast<std::size_t>(view_.len)}; }

 private:
  Py_buffer view_;
};

// A text as it goes to a parser. Places in it are counted in 32 bits.
inline std::string_view parseable(const Text& text) {
  if (text.view().size() >= 0x7fffffffu) throw Refusal("BadFile", "a block of text must be shorter than 2 GB");
  return text.view();
}

}  // namespace noregret
