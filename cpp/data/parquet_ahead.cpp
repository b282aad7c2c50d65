#include "parquet_ahead.hpp"

#include <algorithm>
#include <iterator>
#include <system_error>

namespace noregret {

std::optional<FoundPages> WantedPages::read(const PagePiece& piece) const {
  std::optional<Stacked> found = piece.numbers(numbers);
  if (!found) return std::nullopt;
  return FoundPages{std::move(*found), piece.only(others).read()};
}

PagesAhead::PagesAhead(std::vector<PageGroup> groups, WantedPages wanted, std::size_t threads)
    : wanted_(std::move(wanted)), groups_(std::make_move_iterator(groups.begin()), std::make_move_iterator(groups.end())), most_(2 * threads) {
  try {
    for (std::size_t k = 1; k < threads; ++k) threads_.emplace_back([this] { run(); });
  } catch (const std::system_error&) {  // the system has no more; whoever asks reads by itself
  }
}

PagesAhead::~PagesAhead() {
  {
    const std::lock_guard changing(changing_);
    is_dismissed_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void PagesAhead::run() {
  Lock changing(changing_);
  while (true) {
    changed_.wait(changing, [&] { return is_dismissed_ || is_at_end_ || !is_plain_ || may_begin(); });
    if (is_dismissed_ || is_at_end_ || !is_plain_) return;
    cores_.leave();
    work(changing);
  }
}

std::optional<ReadPages> PagesAhead::next(bool is_plain) {
  if (!is_plain) is_plain_ = false;
  cores_.stay();
  Lock changing(changing_);
  if (is_lent_) --held_;
  is_lent_ = false;
  changed_.notify_all();
  while (turns_.empty() || !turns_.front()->is_done()) {
    if (may_begin()) {
      work(changing);
    } else if (held_ == 0) {
      return std::nullopt;
    } else {
      changed_.wait(changing);
    }
  }
  const std::shared_ptr<Turn> turn = std::move(turns_.front());
  turns_.pop_front();
  is_lent_ = true;
  if (turn->problem) std::rethrow_exception(turn->problem);
  return std::move(turn->read);
}

// Takes the next rows and reads them, while others may change what they want.
void PagesAhead::work(Lock& changing) {
  ++held_;
  changing.unlock();
  const auto turn = std::make_shared<Turn>();
  std::optional<ReadPages> read;
  std::exception_ptr problem;
  if (const std::optional<PagePiece> piece = begin(turn)) {
    try {
      read = ReadPages{*piece, is_plain_ ? wanted_.read(*piece) : std::nullopt};
    } catch (...) {
      problem = std::current_exception();
    }
  }
  changing.lock();
  if (read && !read->found) is_plain_ = false;
  if (read) turn->read = std::move(read);
  if (problem) turn->problem = problem;
  changed_.notify_all();
}

// Takes the next rows, in this turn; there are none behind the last, nor behind what is damaged.
std::optional<PagePiece> PagesAhead::begin(const std::shared_ptr<Turn>& turn) {
  const std::lock_guard taking(taking_);
  std::optional<PagePiece> piece;
  try {
    while (!groups_.empty() && !(piece = groups_.front().next())) groups_.pop_front();
  } catch (...) {
    turn->problem = std::current_exception();
    groups_.clear();
  }
  const std::lock_guard changing(changing_);
  is_at_end_ = !piece;
  if (piece || turn->problem) {
    turns_.push_back(turn);
  } else {
    --held_;
  }
  return piece;
}

}  // namespace noregret
