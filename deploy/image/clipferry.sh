#!/bin/sh
# Replaces this shell by a script of package.json: `clipferry start`, `clipferry cli messages`. Signals then reach the
# program itself, also as process 1 of a container. npm would stand in between.
set -eu
cd "${CLIPFERRY_HOME:-/app}"
script=${1:-start}
[ $# -eq 0 ] || shift
command=$(node -p 'require("./package.json").scripts[process.argv[1]] ?? ""' "$script")
# The image is prepared already, so the preparing part of the script is cut off.
command=${command##*exec }
case $command in
  'node src/'* | 'node --'*) ;;
  *)
    echo "clipferry: there is no program '$script'" >&2
    exit 2
    ;;
esac
# shellcheck disable=SC2086 # its words are arguments
exec $command "$@"
