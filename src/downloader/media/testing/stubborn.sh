#!/bin/sh
# Stands in for a program that hangs: ignores SIGTERM, and its own child does as well.
trap '' TERM
while :; do sleep 1; done
