#!/usr/bin/env bash
# Compares the intake of feeds with npm rss-parser, alternately, on one feed of about 170 KB with 60 entries, one of
# them new.
#   bench/feeds/speed.sh TURNS
# needs `cargo build --release -p carrel-extract --example feeds` and RSS_PARSER, a folder with npm rss-parser.
set -euo pipefail
cd "$(dirname "$0")/../.."
feed=$(mktemp)
trap 'rm -f "$feed"' EXIT
python3 bench/feeds/hard_feeds.py big "$feed"
for _ in $(seq "${1:-5}"); do
  # The allocator retains freed memory, as in the extraction processes.
  ours=$(MALLOC_MMAP_THRESHOLD_=33554432 MALLOC_TRIM_THRESHOLD_=67108864 target/release/examples/feeds speed "$feed" 400 1)
  theirs=$(node bench/feeds/rss_parser.mjs "$feed" 200)
  awk -v a="${ours%% *}" -v b="${theirs%% *}" 'BEGIN { printf "intake %.2f ms, rss-parser %.2f ms: %.1f times\n", a, b, b / a }'
done
