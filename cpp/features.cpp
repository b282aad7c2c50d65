#include "features.hpp"

#include <algorithm>
#include <tuple>

namespace noregret {

void Features::require(FeatureKind wanted) const {
  if (kind == FeatureKind::none || kind == wanted) return;
  const bool named = kind == FeatureKind::name;
  throw Refusal("BadInput", std::string("this learner knows its features by ") +
                                (named ? "name (it began with dicts)" : "number (it began with arrays)") +
                                "; this row has " + (named ? "numbered columns" : "names") +
                                ": keep to one kind, or start a new learner");
}

bool Features::operator==(const Features& other) const {
  if (kind != other.kind || far_indices_ != other.far_indices_ || names.size() != other.names.size()) return false;
  for (std::size_t slot = 0; slot < names.size(); ++slot) {
    if (names.at(slot) != other.names.at(slot)) return false;
  }
  return true;
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

void Resolved::distinguish() {
  if (pending_.size() < 2) return;
  std::vector<const Pending*> order;
  for (const Pending& feature : pending_) order.push_back(&feature);
  const auto called = [](const Pending* feature) { return std::tie(feature->key, feature->name); };
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return called(a) < called(b); });
  std::uint32_t slot = kUnknown;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k > 0 && called(order[k]) != called(order[k - 1])) --slot;
    slots_[order[k]->at] = slot;
  }
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
