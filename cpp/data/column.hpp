// A column of numbers that is filled from the front. Its memory is not cleared beforehand and goes
// back to a pool: asking the system for fresh pages costs as much as reading the file.
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

namespace noregret {

// Memory from the pool, and back to it.
void* borrow_memory(std::size_t bytes);
void return_memory(void* memory, std::size_t bytes) noexcept;

template <class T>
class Column {
 public:
  Column() = default;
  explicit Column(std::size_t room) : data_(static_cast<T*>(borrow_memory(room * sizeof(T)))), room_(room) {}
  Column(Column&& other) noexcept { swap(other); }
  Column& operator=(Column&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Column() {
    if (data_ != nullptr) return_memory(data_, room_ * sizeof(T));
  }

  // The caller has made sure that there is room.
  void put(T value) { data_[size_++] = value; }
  void push(T value) {
    if (size_ == room_) widen();
    put(value);
  }
  void cut(std::size_t size) { size_ = size; }
  // Where the next one goes, for a loop that writes several and then says how many.
  T* free() { return data_ + size_; }
  void add(std::size_t count) { size_ += count; }

  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t k) { return data_[k]; }
  const T& operator[](std::size_t k) const { return data_[k]; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  void swap(Column& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(room_, other.room_);
    std::swap(size_, other.size_);
  }
  void widen() {
    Column wider(2 * room_ + 64);
    if (size_ > 0) std::memcpy(wider.data_, data_, size_ * sizeof(T));
    wider.size_ = size_;
    swap(wider);
  }

  T* data_ = nullptr;
  std::size_t room_ = 0, size_ = 0;
};

}  // namespace noregret
