#!/bin/sh
# Says what building the image needs, and stops where memory or disk lack, before anything is downloaded.
set -eu
memory_mb=1000
disk_mb=4000
echo "Building needs $memory_mb MB of free memory, $disk_mb MB of free disk, and downloads about 700 MB from the image registry, deb.debian.org and registry.npmjs.org. It takes some ten minutes of two cores."
free=$(awk '/^(MemAvailable|SwapFree):/ { sum += $2 } END { print int(sum / 1024) }' "${MEMINFO:-/proc/meminfo}")
room=$(df -Pm "${1:-/}" | awk 'NR == 2 { print $4 }')
lacks=
[ "$free" -ge "$memory_mb" ] || lacks="only $free MB of memory are free: add swap, or build on another machine"
[ "$room" -ge "$disk_mb" ] || lacks="${lacks:+$lacks, and }only $room MB of disk are free"
[ -z "$lacks" ] || { echo "The image cannot be built: $lacks." >&2; exit 1; }
