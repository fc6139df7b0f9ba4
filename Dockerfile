# One image for every program: the site (`start`), `page-cache`, `jobs` and the operator's commands (`cli …`).
# `docs/deploying.md` says how to run it.

# The version in package.json, so that the tested Node runs.
ARG NODE_VERSION=24.21.0
# To pin a base image, pass its digest (`docs/deploying.md`): `--build-arg DEBIAN_IMAGE=…@sha256:…`.
ARG NODE_IMAGE=node:${NODE_VERSION}-trixie-slim
ARG DEBIAN_IMAGE=debian:trixie-slim

# Everything that downloads or compiles waits for it.
FROM ${DEBIAN_IMAGE} AS needs
COPY deploy/image/needs.sh /tmp/
RUN sh /tmp/needs.sh

# A minimal ffmpeg: 3 MB instead of Debian's 400, without containers to read, network, or any decoder but those of JPEG,
# mp3 and AAC; the pictures that it sees are made by the site. It is built
# from Debian's source, which apt verifies and Debian patches.
FROM needs AS ffmpeg
WORKDIR /build
RUN echo 'deb-src http://deb.debian.org/debian trixie main' > /etc/apt/sources.list.d/source.list \
  && echo 'deb-src http://deb.debian.org/debian-security trixie-security main' >> /etc/apt/sources.list.d/source.list \
  && apt-get update -q \
  && apt-get install -q -y --no-install-recommends dpkg-dev gcc libc6-dev libmp3lame-dev libx264-dev make nasm pkgconf \
  && apt-get source -q --only-source ffmpeg
RUN cd ffmpeg-*/ \
  && ./configure --prefix=/usr/local --disable-everything --disable-autodetect --disable-network --disable-doc \
    --disable-debug --disable-avdevice --disable-ffplay --disable-ffprobe \
    --enable-gpl --enable-libmp3lame --enable-libx264 --enable-protocol=pipe,file \
    --enable-demuxer=aac,image_jpeg_pipe,mp3 --enable-parser=aac,mjpeg,mpegaudio \
    --enable-decoder=aac,mjpeg,mp3float --enable-bsf=aac_adtstoasc \
    --enable-filter=adelay,afade,aresample,format,fps,framerate,scale,select,setpts,settb,trim \
    --enable-encoder=aac,libmp3lame,libx264 --enable-muxer=adts,mp3,mp4 \
  && make -j "$(nproc)" ffmpeg \
  && mkdir -p /out/bin /out/share/doc/ffmpeg \
  && cp ffmpeg /out/bin/ \
  && cp COPYING.GPLv2 COPYING.LGPLv2.1 LICENSE.md debian/copyright /out/share/doc/ffmpeg/ \
  && dpkg-parsechangelog --show-field Version > /out/share/doc/ffmpeg/version

# The production packages and their list. The base image has Node already, and TypeScript is only a build tool.
FROM ${NODE_IMAGE} AS packages
COPY --from=needs /tmp/needs.sh /tmp/
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev \
  && npm sbom --omit=dev --package-lock-only --sbom-format=spdx > sbom.spdx.json \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node node_modules/typescript node_modules/@typescript
COPY --from=ffmpeg /out/share/doc/ffmpeg/version /tmp/
COPY deploy/image/list-ffmpeg.mjs /tmp/
RUN node /tmp/list-ffmpeg.mjs sbom.spdx.json "$(cat /tmp/version)"

FROM ${NODE_IMAGE} AS build
COPY --from=needs /tmp/needs.sh /tmp/
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM ${DEBIAN_IMAGE}
RUN apt-get update -q \
  && apt-get install -q -y --no-install-recommends libmp3lame0 libx264-164 \
  && rm -rf /var/cache/apt /var/lib/apt/lists/* /var/log/* \
  && groupadd --gid 1000 clipferry \
  && useradd --uid 1000 --gid clipferry --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin clipferry \
  && install -d -o clipferry -g clipferry -m 0700 /data /backups
COPY --from=ffmpeg /out /usr/local
COPY --from=build /usr/local/bin/node /usr/local/bin/node
WORKDIR /app
COPY --from=packages /app ./
COPY --from=build /app/build ./build
COPY LICENSE site.config.json ./
COPY content ./content
COPY migrations ./migrations
COPY src ./src
COPY deploy/image/clipferry.sh /usr/local/bin/clipferry
COPY deploy/image/healthy.mjs deploy/image/

ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
# Starts the site once. A broken build fails here, and the compile cache is filled for later starts (Node ties it to the
# user). On SIGTERM the site must end by itself.
RUN install -d -o clipferry -g clipferry node_modules/.cache \
  && setpriv --reuid=clipferry --regid=clipferry --clear-groups \
    sh -c 'DATA_DIR=/tmp/first-start HOST=127.0.0.1 PORT=0 timeout --preserve-status --kill-after=20 10 clipferry start' \
  && rm -rf /tmp/first-start \
  && chown -R root:root node_modules/.cache \
  && chmod -R a=rX node_modules/.cache
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "/app/deploy/image/healthy.mjs"]
ENTRYPOINT ["clipferry"]
CMD ["start"]
