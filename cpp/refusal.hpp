// What the core throws when it will not go on. Nothing has changed when it is thrown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace noregret {

class Refusal : public std::exception {
 public:
  // `kind` is the name of a class in noregret/errors.py.
  Refusal(const char* kind, std::string sentence, std::int64_t row = -1)
      : kind(kind), sentence(std::move(sentence)), row(row) {}

  const char* what() const noexcept override { return sentence.c_str(); }

  const char* kind;
  std::string sentence;
  std::int64_t row;  // the row of a batch that was refused, or −1
};

// Names the row in whatever is refused while it is worked on.
decltype(auto) at_row(std::size_t r, auto&& work) {
  try {
    return work();
  } catch (Refusal& refusal) {
    refusal.row = static_cast<std::int64_t>(r);
    throw;
  }
}

}  // namespace noregret
