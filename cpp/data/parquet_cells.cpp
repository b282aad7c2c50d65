#include "parquet_cells.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <unordered_map>

#include "parquet_levels.hpp"
#include "parquet_runs.hpp"
#include "parquet_values.hpp"

namespace noregret {
namespace {

// The values of a part, put where the cells go: numbers by their size, whatever they are.
template <class T>
class Numbers {
 public:
  explicit Numbers(const PageDictionary* dictionary) : dictionary_(dictionary) {}

  void places(std::string_view values, std::size_t skip, std::size_t take, T* to) {
    if (dictionary_ == nullptr) refuse_page("a page points to a list of values that is not there");
    const std::string_view listed = dictionary_->numbers;
    const auto at = [first = listed.data()](std::uint32_t k) {
      T found;
      std::memcpy(&found, first + k * sizeof(T), sizeof(T));  // it may lie anywhere
      return found;
    };
    each_listed(values, skip, take, listed.size() / sizeof(T), [&](std::uint32_t place, std::size_t some) { to = std::fill_n(to, some, at(place)); },
                [&](const std::uint32_t* places, std::size_t some) { to = std::transform(places, places + some, to, at); });
  }
  void plain(std::string_view values, std::size_t skip, std::size_t take, T* to, const PageMarks*) {
    std::memcpy(to, plain_numbers<T>(values, skip, take), take * sizeof(T));
  }
  void runs(std::string_view, std::size_t, std::size_t, T*) { refuse_page("a page is encoded in a way that its file does not tell of"); }
  std::shared_ptr<const Words> words() { return nullptr; }

 private:
  const PageDictionary* dictionary_;
};

class Truths {
 public:
  void places(std::string_view, std::size_t, std::size_t, std::uint8_t*) { refuse_page("a page points to a list of truths, which nobody has"); }
  void plain(std::string_view values, std::size_t skip, std::size_t take, std::uint8_t* to, const PageMarks*) {
    if (values.size() < (skip + take + 7) / 8) refuse_page("a page ends before its cells do");
    for (std::size_t k = skip; k < skip + take; ++k) *to++ = (static_cast<std::uint8_t>(values[k / 8]) >> (k % 8)) & 1;
  }
  void runs(std::string_view values, std::size_t skip, std::size_t take, std::uint8_t* to) {
    Runs runs(cut_counted(values), 1);
    runs.skip(skip);
    runs.take(take, [&](std::uint32_t value, std::size_t some) { to = std::fill_n(to, some, static_cast<std::uint8_t>(value & 1)); },
              [&](const std::uint32_t* some, std::size_t count) { to = std::copy_n(some, count, to); });
  }
  std::shared_ptr<const Words> words() { return nullptr; }
};

// Places in a list of words: that of the file, or one that is made here of words that are spelt out.
class Codes {
 public:
  explicit Codes(const PageDictionary* dictionary) : dictionary_(dictionary) {}

  void places(std::string_view values, std::size_t skip, std::size_t take, std::uint32_t* to) {
    if (dictionary_ == nullptr || own_ != nullptr) refuse_page("a page points to a list of words that is not there");
    shared_ = dictionary_->words;
    Runs runs = places_of(values);
    runs.skip(skip);
    runs.take(take, [&](std::uint32_t k, std::size_t some) { to = std::fill_n(to, some, k); },
              [&](const std::uint32_t* places, std::size_t some) { to = std::copy_n(places, some, to); });
    if (!are_places(to - take, take, shared_->size())) refuse_page("a page points behind its list of words");
  }
  void plain(std::string_view values, std::size_t skip, std::size_t take, std::uint32_t* to, const PageMarks* marks) {
    if (shared_ != nullptr) refuse_page("a page spells words out between others that point to a list");
    if (own_ == nullptr) own_ = std::make_shared<Words>();
    const std::size_t mark = mark_before(marks, skip);
    if (mark > 0) cut(values, marks->bytes[mark]);
    for (std::size_t k = mark * PageMarks::kStep; k < skip; ++k) cut_counted(values);
    for (std::size_t k = 0; k < take; ++k) {
      const std::string_view word = cut_counted(values);
      const auto [found, fresh] = met_.try_emplace(word, static_cast<std::uint32_t>(own_->size()));
      if (fresh) own_->add(word);
      to[k] = found->second;
    }
  }
  void runs(std::string_view, std::size_t, std::size_t, std::uint32_t*) { refuse_page("a page of words is encoded as if they were truths"); }
  std::shared_ptr<const Words> words() {
    if (shared_ != nullptr) return shared_;
    return own_ != nullptr ? own_ : std::make_shared<const Words>();
  }

 private:
  const PageDictionary* dictionary_;
  std::shared_ptr<const Words> shared_;
  std::shared_ptr<Words> own_;
  std::unordered_map<std::string_view, std::uint32_t> met_;
};

// Bits for cells of which one is missing.
class Present {
 public:
  explicit Present(std::size_t cells) : cells_(cells) {}

  void note(std::size_t first, const std::vector<char>& there) {
    if (bits_.empty()) bits_.assign((cells_ + 7) / 8, static_cast<char>(-1));
    for (std::size_t k = 0; k < there.size(); ++k) {
      if (there[k] == 0) bits_[(first + k) / 8] &= static_cast<char>(~(1 << ((first + k) % 8)));
    }
  }
  std::vector<char> bits() { return std::move(bits_); }

 private:
  std::size_t cells_;
  std::vector<char> bits_;
};

// Numbers that lie in one page as they do in memory, and none is missing; else null.
template <class T>
const char* as_they_lie(bool optional, const std::vector<PagePart>& parts) {
  if (parts.size() != 1 || parts[0].encoding != kPlain) return nullptr;
  PagePart part = parts[0];
  const Levels levels = cut_levels(part, optional);
  if (!levels.there.empty()) return nullptr;
  const char* first = plain_numbers<T>(part.values, levels.skip, levels.take);
  return reinterpret_cast<std::uintptr_t>(first) % sizeof(T) == 0 ? first : nullptr;
}

void require_kind(const PageDictionary* dictionary, CellKind kind) {
  if (dictionary != nullptr && dictionary->kind != kind) refuse_page("a list of values is not of its column's kind");
}

std::size_t count_cells(const std::vector<PagePart>& parts) {
  std::size_t cells = 0;
  for (const PagePart& part : parts) cells += part.take;
  return cells;
}

// Puts the cells of these parts where they go; says how many are missing.
template <class T, class Values>
std::size_t put(Values& values, bool optional, const std::vector<PagePart>& parts, T* to, Present& present) {
  std::size_t missing = 0, done = 0;
  for (PagePart part : parts) {
    const Levels levels = cut_levels(part, optional);
    if (levels.take == 0) {  // such a page may have nothing at all behind its levels
    } else if (part.encoding == kPlaces || part.encoding == kOldPlaces) {
      values.places(part.values, levels.skip, levels.take, to);
    } else if (part.encoding == kPlain) {
      values.plain(part.values, levels.skip, levels.take, to, part.marks);
    } else if (part.encoding == kRuns) {
      values.runs(part.values, levels.skip, levels.take, to);
    } else {
      refuse_page("a page is encoded in a way that its file does not tell of");
    }
    if (!levels.there.empty()) {
      spread(levels, to, T{0});
      present.note(done, levels.there);
      missing += part.take - levels.take;
    }
    done += part.take;
    to += part.take;
  }
  return missing;
}

template <class T, class Values>
PageCells read(Values values, bool optional, const std::vector<PagePart>& parts) {
  const std::size_t cells = count_cells(parts);
  PageCells found;
  found.own = Column<char>(cells * sizeof(T) + 1);
  found.first = found.own.data();
  Present present(cells);
  found.missing = put(values, optional, parts, reinterpret_cast<T*>(found.own.data()), present);
  found.present = present.bits();
  found.words = values.words();
  return found;
}

}  // namespace

std::uint32_t Words::add(std::string_view word) {
  if (word.size() > std::numeric_limits<std::int32_t>::max() - letters.size()) refuse_page("there are more than two gigabytes of words in a page");
  letters.insert(letters.end(), word.begin(), word.end());
  starts.push_back(static_cast<std::int32_t>(letters.size()));
  return static_cast<std::uint32_t>(size() - 1);
}

PageMarks mark(CellKind kind, bool optional, PagePart page) {
  PageMarks marks;
  std::size_t values = page.take;
  if (optional) {
    Runs runs(page.levels_within ? cut_counted(page.values) : page.levels, 1);
    for (std::size_t cell = PageMarks::kStep; cell <= page.take; cell += PageMarks::kStep) {
      marks.values.push_back(marks.values.back() + count_there(runs, PageMarks::kStep));
    }
    values = marks.values.back() + count_there(runs, page.take % PageMarks::kStep);
  }
  if (kind != CellKind::word || page.encoding != kPlain) return marks;
  const std::size_t all = page.values.size();
  for (std::size_t value = 1; value <= values; ++value) {
    cut_counted(page.values);
    if (value % PageMarks::kStep == 0) marks.bytes.push_back(all - page.values.size());
  }
  return marks;
}

PageDictionary::PageDictionary(CellKind kind, std::string_view page, std::size_t count) : kind(kind) {
  const std::size_t bytes = kind == CellKind::eight ? 8 : 4;
  if (kind != CellKind::word && kind != CellKind::truth) {
    if (count > page.size() / bytes) refuse_page("a list of values ends before its last one");
    numbers = page.substr(0, count * bytes);
  }
  if (kind != CellKind::word) return;
  auto found = std::make_shared<Words>();
  for (std::size_t k = 0; k < count; ++k) found->add(cut_counted(page));
  words = std::move(found);
}

template <class T>
PageCells read_numbers(bool optional, const PageDictionary* dictionary, const std::vector<PagePart>& parts) {
  PageCells found;
  found.first = as_they_lie<T>(optional, parts);
  return found.first != nullptr ? std::move(found) : read<T>(Numbers<T>(dictionary), optional, parts);
}

const double* doubles_in(bool optional, const PagePart& part) { return reinterpret_cast<const double*>(as_they_lie<double>(optional, {part})); }

PageCells read_cells(CellKind kind, bool optional, const PageDictionary* dictionary, const std::vector<PagePart>& parts) {
  require_kind(dictionary, kind);
  switch (kind) {
    case CellKind::truth: return read<std::uint8_t>(Truths(), optional, parts);
    case CellKind::four: return read_numbers<std::uint32_t>(optional, dictionary, parts);
    case CellKind::eight: return read_numbers<std::uint64_t>(optional, dictionary, parts);
    default: return read<std::uint32_t>(Codes(dictionary), optional, parts);
  }
}

}  // namespace noregret
