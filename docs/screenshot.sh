#!/usr/bin/env bash
# Draws docs/screen.svg and docs/screen-80x24.svg anew, from the real program in
# an emulated terminal. The tests of docs compare them.
set -euo pipefail
cd "$(dirname "$0")/.."
exec go test ./docs -count=1 -run '^TestPictures$' -update
