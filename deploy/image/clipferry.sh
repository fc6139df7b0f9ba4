#!/bin/sh
# Runs a script of package.json in the place of this shell: `clipferry start`, `clipferry cli messages`. So signals
# reach the program itself, also as the first process of a container, where npm would stand in between.
set -eu
cd "${CLIPFERRY_HOME:-/app}"
script=${1:-start}
[ $# -eq 0 ] || shift
command=$(node -p 'require("./package.json").scripts[process.argv[1]] ?? ""' "$script")
# What makes a clone ready was done when the image was made.
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
