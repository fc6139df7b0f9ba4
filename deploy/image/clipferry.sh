#!/bin/sh
# Replaces this shell by a script of package.json: `clipferry start`, `clipferry jobs`. Any other word is one of the
# operator's commands: `clipferry messages` is `clipferry cli messages`. Signals then reach the program itself, also as
# process 1 of a container. npm would stand in between.
set -eu
export CLIPFERRY_CWD="${CLIPFERRY_CWD:-$PWD}"
cd "${CLIPFERRY_HOME:-/app}"
case ${1:-start} in
  start | jobs | page-cache | cli)
    script=${1:-start}
    [ $# -eq 0 ] || shift
    ;;
  *) script=cli ;;
esac
command=$(node -p 'require("./package.json").scripts[process.argv[1]] ?? ""' "$script")
# The image is prepared already, so the preparing part of the script is cut off.
command=${command##*exec }
# shellcheck disable=SC2086 # its words are arguments
exec $command "$@"
