#!/bin/sh
# Stands in for a program that takes 200 MB of memory, and then gives sound enough.
set -e
cat >/dev/null
held=$(head -c 200000000 /dev/zero | tail -c 200000000 | wc -c)
[ "$held" = 200000000 ]
head -c 8000 /dev/zero
