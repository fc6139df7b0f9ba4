#!/bin/sh
# Prints the settings for further instances and converters, with new secrets: `sh many.sh >> .env`, once.
set -eu
secret() { openssl rand -hex "$1"; }
database=$(secret 24)
redis=$(secret 24)
cat <<END

## Further instances and converters (docs/scaling.md)
COMPOSE_PROFILES=many
MORE_SITES=1
CONVERTERS=1
SITE_UPSTREAMS=clipferry-site-1:3000 clipferry-more-1:3000
# Sites leave conversions to the converters, which make so many at once, each
CONVERSIONS=0
CONVERTER_CONVERSIONS=2
SECRET_KEY=$(secret 32)
POSTGRES_PASSWORD=$database
DATABASE_URL=postgres://clipferry:$database@postgres:5432/clipferry
REDIS_PASSWORD=$redis
REDIS_URL=redis://:$redis@redis:6379/0
S3_ENDPOINT=http://s3:3900
S3_BUCKET=clipferry
S3_ACCESS_KEY_ID=GK$(secret 12)
S3_SECRET_ACCESS_KEY=$(secret 32)
GARAGE_RPC_SECRET=$(secret 32)
END
