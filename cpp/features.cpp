#include "features.hpp"

#include "refusal.hpp"

namespace noregret {

void Features::require(FeatureKind wanted) const {
  if (kind == FeatureKind::none || kind == wanted) return;
  const bool named = kind == FeatureKind::name;
  throw Refusal("BadInput", std::string("this learner knows its features by ") +
                                (named ? "name (it began with dicts)" : "number (it began with arrays)") +
                                "; this row has " + (named ? "numbered columns" : "names") +
                                ": keep to one kind, or start a new learner");
}

std::uint32_t Features::add(std::int64_t index) {
  if (index < kDirect) return static_cast<std::uint32_t>(index);
  const auto [place, fresh] =
      far_.try_emplace(index, static_cast<std::uint32_t>(kDirect + far_indices_.size()));
  if (fresh) far_indices_.push_back(index);
  return place->second;
}

SparseRow<double, std::uint32_t> Resolved::told_apart(bool bias) const {
  if (pending_.empty()) return row(bias);
  apart_.assign(slots_.begin(), slots_.begin() + static_cast<std::ptrdiff_t>(size_));
  for (const Pending& feature : pending_) {
    std::size_t first = 0;
    while (pending_[first].name != feature.name || pending_[first].key != feature.key) ++first;
    apart_[feature.at] = kUnknown - 1 - static_cast<std::uint32_t>(first);
  }
  return {values_.data(), apart_.data(), size_, bias};
}

std::string Resolved::label(const Features& features, std::size_t k) const {
  for (const Pending& feature : pending_) {
    if (feature.at != k) continue;
    return kind == FeatureKind::name ? "'" + std::string(feature.name) + "'" : std::to_string(feature.key);
  }
  if (kind == FeatureKind::name) return "'" + std::string(features.names.at(slots_[k])) + "'";
  return std::to_string(features.index_at(slots_[k]));
}

}  // namespace noregret
