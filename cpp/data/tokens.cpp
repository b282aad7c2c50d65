#include "tokens.hpp"

namespace noregret {

bool Tokens::search() {
  const std::size_t from = begin(), size = text_.size();
  const bool open = text_.empty() || text_.back() != '\n';  // the end of the text has to end a line
  if (from > size || (from == size && !open) || text_.empty()) return false;
  ends_[0] = ends_[at_];
  at_ = colon_ = stop_ = 0;
  for (std::size_t stretch = kStretch;; stretch *= 2) {
    const std::size_t end = std::min(size, from + stretch);
    make_room(end - from);
    places_ = {colons_.data(), ends_.data() + 1, stops_.data()};
    kernels_.find(text_.data(), from, end, what_, places_);
    if (end == size && open) {
      places_.stops[places_.stop_count++] = static_cast<std::uint32_t>(places_.end_count);
      places_.ends[places_.end_count++] = static_cast<std::uint32_t>(size);
    }
    if (places_.end_count > 0) break;
  }
  // The kernels look at eight more.
  std::fill_n(places_.colons + places_.colon_count, 8, static_cast<std::uint32_t>(size));
  std::fill_n(places_.ends + places_.end_count, 8, static_cast<std::uint32_t>(size));
  return true;
}

}  // namespace noregret
