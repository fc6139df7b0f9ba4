#!/bin/sh
# Makes the tiny elementary streams and pictures in media/ from ffmpeg's own test sources; no foreign material.
# They are committed, so this is needed only to change them (ffmpeg 5 or later with libx264, libx265, lame, libwebp).
# No B-frames and one slice for each picture: every picture is one sample, decoded in the order it is shown.
set -eu
cd "$(dirname "$0")/media"
ffmpeg_quietly() { ffmpeg -hide_banner -loglevel error -y "$@"; }

h264() { # name size seconds crf
  ffmpeg_quietly -f lavfi -i "testsrc=size=$2:rate=30:duration=$3" -pix_fmt yuv420p -c:v libx264 -profile:v high \
    -preset veryslow -crf "$4" -g 600 -bf 0 -x264-params "slices=1:scenecut=0:info=0" \
    -bsf:v "filter_units=remove_types=6" -f h264 "$1.h264"
}
h264 h264-480x854 480x854 2 34
h264 h264-576x1024 576x1024 2 34
h264 h264-720x1280 720x1280 2 34
h264 h264-1280x720 1280x720 2 34
h264 h264-1080x1920 1080x1920 2 36

hevc() { # size
  ffmpeg_quietly -f lavfi -i "testsrc=size=$1:rate=30:duration=2" -pix_fmt yuv420p -c:v libx265 -preset slow -crf 36 \
    -x265-params "bframes=0:keyint=600:scenecut=0:slices=1:info=0:log-level=error" \
    -bsf:v "filter_units=remove_types=39|40" -f hevc "hevc-$1.h265"
}
hevc 720x1280
hevc 1080x1920

# Left and right differ and change with time, so a test can see that both channels and the right length came through.
tones="0.4*sin(2*PI*440*t)*(0.6+0.4*sin(2*PI*2*t))|0.4*sin(2*PI*(660+110*sin(2*PI*0.5*t))*t)"
ffmpeg_quietly -f lavfi -i "aevalsrc=$tones:s=44100:d=3" -c:a aac -profile:a aac_low -b:a 128k -f adts aac-lc-44100-stereo.aac
ffmpeg_quietly -f lavfi -i "aevalsrc=0.4*sin(2*PI*440*t):s=24000:d=1" -c:a aac -profile:a aac_low -b:a 32k -f adts aac-lc-24000-mono.aac
ffmpeg_quietly -f lavfi -i "aevalsrc=0.4*sin(2*PI*440*t)|0.4*sin(2*PI*660*t)|0.2*sin(2*PI*550*t)|0|0.1*sin(2*PI*330*t)|0.1*sin(2*PI*220*t):s=48000:d=0.5:c=5.1" \
  -c:a aac -profile:a aac_low -b:a 128k -f adts aac-lc-48000-surround.aac
# HE-AAC needs an encoder that ffmpeg may not have: fdkaac of the package of that name. Noise fills the band that only
# SBR carries, and differs from left to right.
noisy="0.25*sin(2*PI*440*t)*(0.6+0.4*sin(2*PI*2*t))+0.15*(random(0)-0.5)|0.25*sin(2*PI*(660+110*sin(2*PI*0.5*t))*t)+0.15*(random(1)-0.5)"
ffmpeg_quietly -f lavfi -i "aevalsrc=$noisy:s=44100:d=2" -f wav noisy.wav
fdkaac -S -p 5 -b 48000 -f 2 -o he-aac-44100-stereo.aac noisy.wav
fdkaac -S -p 29 -b 32000 -f 2 -o he-aac-v2-44100-stereo.aac noisy.wav
rm noisy.wav
# No bit reservoir and no headers: its frames can be repeated in any number.
ffmpeg_quietly -f lavfi -i "aevalsrc=$tones:s=44100:d=2" -c:a libmp3lame -b:a 96k -reservoir 0 -write_xing 0 \
  -id3v2_version 0 -write_id3v1 0 -f mp3 music.mp3

picture() { ffmpeg_quietly -f lavfi -i "$2" -frames:v 1 -q:v 20 "$1"; }
picture picture-1.jpg "testsrc=size=1080x1350:rate=1"
picture picture-2.jpg "smptehdbars=size=1080x1436:rate=1"
picture picture-3.jpg "rgbtestsrc=size=1350x1080:rate=1"
picture cover.jpg "testsrc=size=720x1280:rate=1"
picture avatar.jpg "rgbtestsrc=size=200x200:rate=1"
ffmpeg_quietly -f lavfi -i "smptebars=size=1080x1080:rate=1" -frames:v 1 -c:v libwebp -quality 40 picture-4.webp
