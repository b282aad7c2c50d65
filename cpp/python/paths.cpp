// The ways that weights went, for theorems that ask.
#include "../rules/ftrl.hpp"
#include "arrays.hpp"
#include "bindings.hpp"
#include "buffer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace noregret {
namespace {

// Feature j was pulled by pulls[starts[j]] and those that follow, up to starts[j + 1]. Of its weights w, each as it stood before a pull,
// and the σ that the pull brought: Σσw, Σσw², and Σ pull²/(2(λ₂ + (β + √n)/α)).
void ftrl_sums(nb::handle starts, nb::handle pulls, double alpha, double beta, double l1, double l2, nb::handle first, nb::handle second, nb::handle ahead) {
  const Buffer start_buffer(starts, "starts"), pull_buffer(pulls, "pulls");
  const Buffer first_buffer(first, "first", true), second_buffer(second, "second", true), ahead_buffer(ahead, "ahead", true);
  const std::size_t features = first_buffer.length();
  const auto* start = sized<const std::int64_t>(start_buffer, features + 1);
  const auto* pull = pull_buffer.data<double>();
  double *once = first_buffer.data<double>(), *twice = sized<double>(second_buffer, features), *lead = sized<double>(ahead_buffer, features);
  for (std::size_t j = 0; j < features; ++j) {
    if (start[j] < 0 || start[j] > start[j + 1] || start[j + 1] > static_cast<std::int64_t>(pull_buffer.length())) {
      throw Refusal("BadInput", "the pulls do not fit their starts");
    }
    std::array<double, 3> at{};
    once[j] = twice[j] = lead[j] = 0.0;
    for (std::int64_t k = start[j]; k < start[j + 1]; ++k) {
      const double weight = at[0], before = std::sqrt(at[2]);
      Ftrl::apply(at, 1.0, std::array{pull[k], alpha, beta, l1, l2});
      const double after = std::sqrt(at[2]), sigma = (after - before) / alpha;
      once[j] += sigma * weight;
      twice[j] += sigma * weight * weight;
      lead[j] += pull[k] * pull[k] / (2.0 * (l2 + (beta + after) / alpha));
    }
  }
}

}  // namespace

void bind_paths(nb::module_& m) {
  m.def("ftrl_sums", &ftrl_sums, "starts"_a, "pulls"_a, "alpha"_a, "beta"_a, "l1"_a, "l2"_a, "first"_a, "second"_a, "ahead"_a,
        "Writes the sums over the rounds that the bound of FTRL-proximal needs, feature by feature.");
}

}  // namespace noregret
