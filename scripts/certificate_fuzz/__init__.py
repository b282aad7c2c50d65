"""Random games for scripts/fuzz_certificates."""
