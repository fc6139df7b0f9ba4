import type { MediaSource, Post, SeparateSound, VideoVariant } from '../../post/post.ts';

export const sourceAt = (url: string): MediaSource => ({ urls: [url], headers: {}, expiresAt: 0 });

/** A whole 576 as H.264 by default. @param name of its address */
export function variant(name: string, values: Partial<VideoVariant> = {}): VideoVariant {
  return {
    codec: 'h264',
    width: 576,
    height: 1024,
    bytes: null,
    bitrate: null,
    tracks: 'whole',
    quality: null,
    soundId: null,
    source: sourceAt(name),
    ...values,
  };
}

export const size720 = { width: 720, height: 1280 };
export const size1080 = { width: 1080, height: 1920 };

export function separateSound(id: string, values: Partial<SeparateSound> = {}): SeparateSound {
  return { id, bytes: null, bitrate: null, source: sourceAt(`sound ${id}`), ...values };
}

/** A video of a minute without any file. */
export function samplePost(values: Partial<Post> = {}): Post {
  return {
    platform: 'tiktok',
    id: '7300000000000000001',
    url: 'https://www.tiktok.com/@someone/video/7300000000000000001',
    kind: 'video',
    author: { handle: 'someone', name: 'Someone' },
    title: 'A text',
    durationS: 60,
    cover: null,
    createdAt: null,
    videos: [],
    separateSounds: [],
    pictures: [],
    sound: null,
    song: null,
    soundMeasured: false,
    savingAllowed: true,
    readBy: 'page',
    ...values,
  };
}
