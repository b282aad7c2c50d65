#pragma once

#include <nanobind/nanobind.h>

namespace noregret {

void bind_arrow(nanobind::module_& m);
void bind_columns(nanobind::module_& m);
void bind_finite(nanobind::module_& m);
void bind_group(nanobind::module_& m);
void bind_judging(nanobind::module_& m);
void bind_linear(nanobind::module_& m);
void bind_multiclass(nanobind::module_& m);
void bind_matrix(nanobind::module_& m);
void bind_tally(nanobind::module_& m);
void bind_experts(nanobind::module_& m);
void bind_page_columns(nanobind::module_& m);
void bind_parquet(nanobind::module_& m);
void bind_parsers(nanobind::module_& m);
void bind_paths(nanobind::module_& m);

}  // namespace noregret
