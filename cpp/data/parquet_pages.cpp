#include "parquet_pages.hpp"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "doubles.hpp"
#include "parquet_levels.hpp"

namespace noregret {
namespace {

// The header at a place in a file.
PageHeader header_at(const PageFile& file, std::int64_t at) {
  constexpr std::size_t kMostly = 1 << 8, kMost = 1 << 24;  // the least and the largest word of a page are in it
  std::vector<char> bytes(kMostly);
  while (true) {
    const std::size_t count = file.read(at, bytes.size(), bytes.data());
    if (const auto found = read_page_header({bytes.data(), count})) return *found;
    if (count < bytes.size() || bytes.size() == kMost) refuse_page("the header of a page is damaged, or the file ends in it");
    bytes.resize(16 * bytes.size());
  }
}

bool has_cells(const PageHeader& header) {
  return header.kind == static_cast<std::int64_t>(PageKind::data) || header.kind == static_cast<std::int64_t>(PageKind::data_v2);
}

}  // namespace

PageFile::PageFile(const std::string& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0) refuse_page("it cannot be opened");
}

PageFile::~PageFile() { close(file_); }

std::size_t PageFile::read(std::int64_t at, std::size_t count, char* to) const {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t some = pread(file_, to + done, count - done, at + static_cast<std::int64_t>(done));
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) refuse_page("it cannot be read");
    if (some == 0) break;
    done += static_cast<std::size_t>(some);
  }
  return done;
}

bool PageFile::read(std::int64_t at, std::span<const Room> rooms) const {
  std::array<iovec, 64> places;
  while (!rooms.empty()) {
    const std::span<const Room> some = rooms.first(std::min(rooms.size(), places.size()));
    for (std::size_t k = 0; k < some.size(); ++k) places[k] = {some[k].to, some[k].count};
    const ssize_t found = preadv(file_, places.data(), static_cast<int>(some.size()), at);
    std::size_t left = found < 0 ? 0 : static_cast<std::size_t>(found);
    for (const Room& room : some) {
      const std::size_t done = std::min(left, room.count), more = room.count - done;
      left -= done;
      // What was not read in one go, for whatever reason, is read in several.
      if (read(at + static_cast<std::int64_t>(done), more, room.to + done) != more) return false;
      at += static_cast<std::int64_t>(room.count);
    }
    rooms = rooms.subspan(some.size());
  }
  return true;
}

std::vector<FooterGroup> PageFile::groups() const {
  const off_t size = lseek(file_, 0, SEEK_END);
  std::array<char, 8> last;  // how long the footer is, and a mark
  std::uint32_t length;
  if (size < 12 || read(size - 8, 8, last.data()) != 8 || std::memcmp(last.data() + 4, "PAR1", 4) != 0) refuse_page("it does not end as such a file does");
  std::memcpy(&length, last.data(), 4);
  if (length > size - 12) refuse_page("what the file says of itself is longer than the file");
  std::string bytes(length, '\0');
  if (read(size - 8 - static_cast<std::int64_t>(length), length, bytes.data()) != length) refuse_page("the file has shrunk");
  return read_footer(bytes);
}

void Page::fetch(std::size_t from, std::span<const Room> rooms) const {
  if (!file_->read(at_ + static_cast<std::int64_t>(from), rooms)) refuse_page("the file ends in the middle of a page");
}

void Page::unpack(char* to) const {
  const std::size_t raw = this->raw(), levels = level_bytes();
  const bool packed = is_packed();
  if (!packed && stored() != raw) refuse_page("a page has another size than it says");
  if (!packed || levels > 0) fetch(0, {{{to, packed ? levels : raw}}});
  const auto behind_levels = [&](std::size_t from, std::span<const Room> rooms) { fetch(levels + from, rooms); };
  if (packed && raw > levels) compression_.unpack(behind_levels, stored() - levels, to + levels, raw - levels);
}

// Where all its bytes stand in the file as they are; nothing when that cannot be told.
const std::vector<Stretch>& Page::stretches() {
  const std::lock_guard guard(reading_);
  if (!stretches_) {
    stretches_.emplace();
    const auto fetch = [&](std::size_t from, std::span<const Room> rooms) { this->fetch(from, rooms); };
    if (!is_packed() && stored() == raw()) stretches_->push_back({0, raw()});
    if (is_packed() && compression_.stretches) stretches_ = compression_.stretches(fetch, stored(), raw());
  }
  return *stretches_;
}

bool Page::put_some(std::size_t first, std::size_t count, std::size_t size, char* to) {
  if (level_bytes() > 0 || values() > raw() / size || first > values() || count > values() - first) return false;
  std::size_t skip = first * size, left = count * size;
  char* next = to;
  for (const Stretch& stretch : stretches()) {
    const std::size_t passed = std::min(skip, stretch.count), some = std::min(left, stretch.count - passed);
    if (some > 0) fetch(stretch.at + passed, {{{next, some}}});
    skip -= passed;
    left -= some;
    next += some;
  }
  if (left > 0) std::memcpy(next, all(size).data() + skip, left);
  return true;
}

void Page::read() {
  if (bytes_ != nullptr) return;
  auto bytes = std::make_shared<Column<char>>(raw() + 1);
  unpack(bytes->data());
  bytes_ = std::move(bytes);
}

// All of it, in memory.
PagePart Page::whole(const char* bytes) const {
  const std::size_t levels = level_bytes();
  return {{bytes, levels}, {bytes + levels, raw() - levels}, header_.level_bytes < 0, header_.encoding, 0, values(), nullptr};
}

bool Page::put(CellKind kind, bool optional, double* to) {
  const std::size_t bytes = sizeof(double) * values();
  if (kind != CellKind::eight || !spelt_out() || raw() < bytes || raw() - bytes > kBefore || (optional && !header_.levels_in_runs)) return false;
  char* first = reinterpret_cast<char*>(to) - (raw() - bytes);
  std::array<char, kBefore> kept;
  std::memcpy(kept.data(), first, raw() - bytes);
  unpack(first);
  const bool done = doubles_in(optional, whole(first)) == to;
  std::memcpy(first, kept.data(), raw() - bytes);
  return done;
}

PagePart Page::part(CellKind kind, bool optional, std::size_t skip, std::size_t take) {
  if (optional && !header_.levels_in_runs) refuse_page("a page tells its missing cells in a way that is no longer used");
  const std::lock_guard guard(reading_);
  read();
  PagePart part = whole(bytes_->data());
  if (skip > 0 && !marks_) marks_ = mark(kind, optional, part);
  part.skip = skip;
  part.take = take;
  part.marks = skip > 0 ? &*marks_ : nullptr;
  return part;
}

void Page::forget() {
  const std::lock_guard guard(reading_);
  bytes_.reset();
  marks_.reset();
}

std::shared_ptr<void> Page::bytes() {
  const std::lock_guard guard(reading_);
  return bytes_;
}

std::string_view Page::all(std::size_t size) {
  const std::lock_guard guard(reading_);
  read();
  const std::string_view found = whole(bytes_->data()).values;
  if (values() > found.size() / size) refuse_page("a list of values ends before its last one");
  return found.substr(0, values() * size);
}

const double* Page::wholes(std::size_t size) {
  const char* numbers = all(size).data();
  const std::lock_guard guard(reading_);
  if (!wholes_) {
    wholes_.emplace(values());
    wholes_->cut(values());
    (size == sizeof(std::int32_t) ? widen_shorts : widen_longs)(numbers, values(), wholes_->data());
  }
  return wholes_->data();
}

bool Page::has_gaps(std::size_t size) {
  const char* numbers = all(size).data();
  const std::lock_guard guard(reading_);
  if (!has_gaps_) {
    Column<double> wide(values());
    if (size == sizeof(float)) {
      has_gaps_ = !widen_floats(numbers, values(), wide.data());
    } else {
      std::memcpy(wide.data(), numbers, values() * size);
      has_gaps_ = !are_numbers(wide.data(), values());
    }
  }
  return *has_gaps_;
}

const PageDictionary& Page::dictionary(CellKind kind) {
  const std::lock_guard guard(reading_);
  if (!dictionary_) {
    read();
    dictionary_.emplace(kind, whole(bytes_->data()).values, values());
  }
  return *dictionary_;
}

std::vector<PagePart> PageRange::found() const {
  std::vector<PagePart> found;
  for (const Part& part : parts) found.push_back(part.page->part(kind, optional, part.skip, part.take));
  return found;
}

std::optional<bool> PageRange::put(char letter, double* to) const {
  if (size_of_letter(letter) != (kind == CellKind::eight ? 8 : 4)) return std::nullopt;
  bool whole = true;
  for (const Part& part : parts) {
    const std::optional<bool> found = put(letter, part, to);
    if (!found) return std::nullopt;
    whole = whole && *found;
    to += part.take;
  }
  return whole;
}

std::optional<bool> PageRange::put(char letter, const Part& part, double* to) const {
  const bool all = part.take == part.page->values();
  if (all && letter == 'g' && part.page->put(kind, optional, to)) return are_numbers(to, part.take);
  return put_doubles(letter, optional, dictionary.get(), part.page->part(kind, optional, part.skip, part.take), to);
}

PageCells PageRange::read() const {
  const std::vector<PagePart> found = this->found();
  PageCells cells = read_cells(kind, optional, dictionary ? &dictionary->dictionary(kind) : nullptr, found);
  if (cells.own.data() == nullptr) cells.page = parts.front().page->bytes();
  return cells;
}

void PageRange::forget() const {
  for (const Part& part : parts) {
    if (part.take == part.page->values()) part.page->forget();
  }
}

std::size_t PageChunk::at_once(std::size_t most) {
  if (told_.kind != CellKind::word) return most;
  std::size_t end = 0;
  for (std::size_t k = 0; end < most && page(k).spelt_out() == page(0).spelt_out(); ++k) end += page(k).values() - (k == 0 ? passed_ : 0);
  return std::min(end, most);
}

std::size_t PageChunk::whole_pages(std::size_t cells) {
  std::size_t end = 0;
  for (std::size_t k = 0; end < cells; ++k) end += page(k).values() - (k == 0 ? passed_ : 0);
  return end;
}

// The page that so many pages stand before, of those that were not taken.
Page& PageChunk::page(std::size_t k) {
  while (k >= pages_.size()) {
    if (!next()) refuse_page("a column has fewer cells than there are rows");
  }
  return *pages_[k];
}

// Reads the header of the next page; false when there is none.
bool PageChunk::next() {
  if (left_ <= 0) return false;
  const PageHeader header = header_at(*file_, told_.at);
  auto page = std::make_shared<Page>(file_, header, told_.at + header.bytes, told_.compression);
  told_.at += header.bytes + header.stored;
  if (header.kind == static_cast<std::int64_t>(PageKind::dictionary) && dictionary_ == nullptr) dictionary_ = page;
  if (has_cells(header) && header.values > 0) {
    left_ -= header.values;
    pages_.push_back(std::move(page));
  }
  return true;
}

PageRange PageChunk::take(std::size_t cells) {
  PageRange found{told_.kind, told_.optional, dictionary_, {}};
  while (cells > 0) {
    const std::size_t left = page(0).values() - passed_, some = std::min(cells, left);
    found.parts.push_back({pages_.front(), passed_, some});
    cells -= some;
    passed_ += some;
    if (some == left) {
      pages_.pop_front();
      passed_ = 0;
    }
  }
  return found;
}

PagePiece PagePiece::only(const std::vector<std::size_t>& wanted) const {
  PagePiece found{{}, rows};
  for (const std::size_t column : wanted) found.columns.push_back(columns.at(column));
  return found;
}

std::vector<PageCells> PagePiece::read() const {
  std::vector<PageCells> found(columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::size_t column = (first + k) % columns.size();
    found[column] = columns[column].read();
  }
  return found;
}

namespace {

static_assert(Page::kBefore <= Stacked::kFront * sizeof(double));

// Truths, which are bits in a page; says whether none is missing.
bool put_truths(const PageCells& cells, Stacked& to, std::size_t column) {
  to.put(column, reinterpret_cast<const std::uint8_t*>(cells.first));
  for (std::size_t r = 0; cells.missing > 0 && r < to.rows; ++r) {
    if (((cells.present[r / 8] >> (r % 8)) & 1) == 0) to.at(column)[r] = std::numeric_limits<double>::quiet_NaN();
  }
  return cells.missing == 0;
}

// Says whether none is NaN; nothing when they are none of the numbers that are known.
std::optional<bool> put_column(const PageRange& range, char letter, Stacked& to, std::size_t column) {
  if (range.kind == CellKind::truth) return put_truths(range.read(), to, column);
  return range.kind == CellKind::word ? std::nullopt : range.put(letter, to.at(column));
}

}  // namespace

std::optional<Stacked> PagePiece::numbers(const std::vector<std::pair<std::size_t, char>>& wanted) const {
  Stacked found(rows, wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const std::size_t j = (first + k) % wanted.size();
    const auto [column, letter] = wanted[j];
    if (letter == kFree) continue;
    const PageRange& range = columns.at(column);
    const std::optional<bool> whole = put_column(range, letter, found, j);
    if (!whole) return std::nullopt;
    found.whole = *whole && found.whole;
    range.forget();
  }
  return found;
}

PageGroup::PageGroup(const std::shared_ptr<const PageFile>& file, std::vector<PageColumn> columns, std::size_t rows, std::size_t most) : left_(rows), most_(most) {
  for (PageColumn& column : columns) chunks_.emplace_back(file, std::move(column));
}

std::optional<PagePiece> PageGroup::next() {
  if (left_ == 0) return std::nullopt;
  PagePiece piece{{}, next_rows(), static_cast<std::size_t>(turn_ * static_cast<double>(chunks_.size()))};
  for (PageChunk& chunk : chunks_) piece.columns.push_back(chunk.take(piece.rows));
  left_ -= piece.rows;
  // Threads that begin with different columns do not wait for each other's dictionaries.
  turn_ += 0.618;
  turn_ -= std::floor(turn_);
  return piece;
}

bool PageGroup::asks_python() const {
  return std::any_of(chunks_.begin(), chunks_.end(), [](const PageChunk& chunk) { return chunk.asks_python(); });
}

// A fair number, up to where pages of most columns end: a page that is wanted once, and whole, need not be copied.
std::size_t PageGroup::next_rows() {
  std::size_t most = std::min(left_, most_);
  for (PageChunk& chunk : chunks_) most = std::min(most, chunk.at_once(most));
  const std::size_t fair = std::min(most, std::max<std::size_t>(most_ / 4, 1));
  std::map<std::size_t, std::size_t> votes;
  for (PageChunk& chunk : chunks_) ++votes[std::min(most, chunk.whole_pages(fair))];
  const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
  return votes.empty() ? most : std::max_element(votes.begin(), votes.end(), fewer)->first;
}

}  // namespace noregret
