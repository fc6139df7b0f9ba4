#!/bin/sh
# Purges addresses from the nginx cache of clipferry.conf (levels=1:2): `purge.sh https://clipferry.example/posts …`.
# Run it as root or nginx's user on each machine with such an nginx. It removes the three encodings of each address, and
# of the data that browsers load to navigate there.
set -eu
folder=${CACHE:-/var/cache/nginx-clipferry}
for address in "$@"; do
  case $address in
    *://*/*) ;;
    *) echo "purge: $address is not a whole address" >&2; exit 2 ;;
  esac
  case $address in
    *://*/*/ | *://*/) data=${address}_.data ;;
    *) data=$address.data ;;
  esac
  for one in "$address" "$data"; do
    for form in br gzip identity; do
      hash=$(printf %s "$one#$form" | md5sum | cut -c1-32)
      last=${hash#"${hash%?}"}
      rest=${hash%?}
      two=${rest#"${rest%??}"}
      rm -f "$folder/$last/$two/$hash"
    done
  done
done
