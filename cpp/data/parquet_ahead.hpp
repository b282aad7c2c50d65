// Rows of a Parquet file, read by threads ahead of whoever learns from them. data/ahead.py does so for work in Python, where threads wait
// for each other's turn; here nobody asks Python for anything, and reading a piece takes no longer than that would.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "other_core.hpp"
#include "parquet_pages.hpp"

namespace noregret {

// What was wanted of some rows.
struct FoundPages {
  Stacked numbers;
  std::vector<PageCells> others;
};

// Which columns are wanted: numbers as in PagePiece::numbers(), and others as they are.
struct WantedPages {
  std::vector<std::pair<std::size_t, char>> numbers;
  std::vector<std::size_t> others;

  // Nothing when what is wanted are no numbers.
  std::optional<FoundPages> read(const PagePiece& piece) const;
};

// Rows, and what was wanted of them, if it was read.
struct ReadPages {
  PagePiece piece;
  std::optional<FoundPages> found;
};

class PagesAhead {
 public:
  // So many threads, of which one is whoever asks for the next rows: it works too, instead of waiting.
  PagesAhead(std::vector<PageGroup> groups, WantedPages wanted, std::size_t threads);
  ~PagesAhead();
  PagesAhead(const PagesAhead&) = delete;
  PagesAhead& operator=(const PagesAhead&) = delete;

  // The next rows; nothing behind the last. When what is wanted are no numbers, or when whoever asks says so, nothing is read ahead from
  // then on.
  std::optional<ReadPages> next(bool is_plain = true);

 private:
  struct Turn {
    std::optional<ReadPages> read;
    std::exception_ptr problem;

    bool is_done() const { return read.has_value() || problem != nullptr; }
  };
  using Lock = std::unique_lock<std::mutex>;

  void run();
  void work(Lock& changing);
  std::optional<PagePiece> begin(const std::shared_ptr<Turn>& turn);
  bool may_begin() const { return !is_at_end_ && held_ < most_; }

  WantedPages wanted_;
  OtherCore cores_;  // whoever asks for rows learns from them
  std::mutex taking_;
  std::deque<PageGroup> groups_;  // whoever takes the next rows holds `taking_`
  std::atomic<bool> is_plain_ = true;
  std::mutex changing_;  // what follows
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Turn>> turns_;  // in order
  std::size_t most_, held_ = 0;              // turns that were begun and are not used up
  bool is_lent_ = false;                     // one of them is used just now
  bool is_at_end_ = false, is_dismissed_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace noregret
