#include "feature_state.hpp"

#include <nanobind/stl/string.h>

#include <string>
#include <vector>

#include "../refusal.hpp"
#include "arrays.hpp"
#include "buffer.hpp"

namespace nb = nanobind;

namespace noregret {
namespace {

const char* kind_name(FeatureKind kind) {
  return kind == FeatureKind::none ? "none" : kind == FeatureKind::index ? "index" : "name";
}

void restore_names(Features& features, const nb::dict& state) {
  const Buffer text(state["names"], "names"), ends(state["name_ends"], "name_ends");
  const char* bytes = reinterpret_cast<const char*>(text.data<std::uint8_t>());
  std::size_t begin = 0;
  for (std::size_t slot = 0; slot < ends.length(); ++slot) {
    const std::int64_t end = ends.data<std::int64_t>()[slot];
    if (end < static_cast<std::int64_t>(begin) || end > static_cast<std::int64_t>(text.length())) {
      throw Refusal("BadModel", "its feature names do not fit their table");
    }
    const std::string_view name(bytes + begin, static_cast<std::size_t>(end) - begin);
    if (nb::steal(PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), nullptr)).ptr() == nullptr) {
      PyErr_Clear();
      throw Refusal("BadModel", "a feature name in it is not UTF-8");
    }
    if (features.names.add(name) != slot) throw Refusal("BadModel", "a feature name stands in it twice");
    begin = static_cast<std::size_t>(end);
  }
  if (begin != text.length()) throw Refusal("BadModel", "its feature names do not fit their table");
}

void restore_far(Features& features, const nb::dict& state) {
  const Buffer far(state["far"], "far");
  for (std::size_t k = 0; k < far.length(); ++k) {
    const std::int64_t index = far.data<std::int64_t>()[k];
    if (index < Features::kDirect || index > kLargestIndex || features.add(index) != Features::kDirect + k) {
      throw Refusal("BadModel", "its table of large feature numbers is damaged");
    }
  }
}

}  // namespace

std::size_t known_slots(const Features& features) {
  return features.kind == FeatureKind::name ? features.names.size() : Features::kDirect + features.far().size();
}

void save_features(const Features& features, nb::dict& state) {
  std::vector<std::uint8_t> text;
  std::vector<std::int64_t> ends;
  for (std::size_t slot = 0; slot < features.names.size(); ++slot) {
    const std::string_view name = features.names.at(slot);
    text.insert(text.end(), name.begin(), name.end());
    ends.push_back(static_cast<std::int64_t>(text.size()));
  }
  state["kind"] = kind_name(features.kind);
  state["names"] = copied(text.data(), text.size());
  state["name_ends"] = copied(ends.data(), ends.size());
  state["far"] = copied(features.far().data(), features.far().size());
}

void restore_features(Features& features, const nb::dict& state) {
  const auto kind = nb::cast<std::string>(state["kind"]);
  if (kind != "none" && kind != "index" && kind != "name") throw Refusal("BadModel", "it has features of an unknown kind");
  features.kind = kind == "none" ? FeatureKind::none : kind == "index" ? FeatureKind::index : FeatureKind::name;
  restore_names(features, state);
  if (kind != "name" && features.names.size() > 0) throw Refusal("BadModel", "it names features and says that it numbers them");
  restore_far(features, state);
}

}  // namespace noregret
