#include "names.hpp"

#include <random>
#include <utility>

namespace noregret {

const std::uint64_t Names::kKey = [] {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) ^ device() ^ 0x9e3779b97f4a7c15u;
}();

Names::Names() : table_(64) {}

std::string_view Names::at(std::size_t slot) const {
  const std::size_t begin = slot == 0 ? 0 : ends_[slot - 1];
  return {text_.data() + begin, ends_[slot] - begin};
}

std::size_t Names::place(std::string_view name, std::uint32_t hash) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t place = hash & mask;
  while (table_[place].slot != kUnknown && (table_[place].hash != hash || at(table_[place].slot) != name)) {
    place = (place + 1) & mask;
  }
  return place;
}

std::uint32_t Names::find(std::string_view name, std::uint32_t hash) const { return table_[place(name, hash)].slot; }

std::uint32_t Names::add(std::string_view name, std::uint32_t hash) {
  Place& free = table_[place(name, hash)];
  if (free.slot != kUnknown) return free.slot;
  const auto slot = static_cast<std::uint32_t>(size());
  text_.insert(text_.end(), name.begin(), name.end());
  ends_.push_back(text_.size());
  free = {slot, hash};
  if (2 * size() > table_.size()) widen();
  return slot;
}

void Names::cut(std::size_t size) {
  while (ends_.size() > size) {
    const std::string_view last = at(ends_.size() - 1);
    remove(place(last, hash(last)));
    text_.resize(text_.size() - last.size());
    ends_.pop_back();
  }
}

// Whatever was put further on because this place was taken moves up, so that it is found again.
void Names::remove(std::size_t place) {
  const std::size_t mask = table_.size() - 1;
  std::size_t free = place;
  for (std::size_t next = (free + 1) & mask; table_[next].slot != kUnknown; next = (next + 1) & mask) {
    const std::size_t wanted = table_[next].hash & mask;
    if (((next - wanted) & mask) < ((next - free) & mask)) continue;  // it stands between, and may stay
    table_[free] = table_[next];
    free = next;
  }
  table_[free] = {};
}

void Names::widen() {
  std::vector<Place> wider(4 * table_.size());
  const std::size_t mask = wider.size() - 1;
  for (const Place& old : table_) {
    if (old.slot == kUnknown) continue;
    std::size_t place = old.hash & mask;
    while (wider[place].slot != kUnknown) place = (place + 1) & mask;
    wider[place] = old;
  }
  table_ = std::move(wider);
}

}  // namespace noregret
