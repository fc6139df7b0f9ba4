import type { SoundTrack } from '../posts/post.ts';

/**
 * What a sound's addresses say about its container (`mime_type=audio_mpeg` or `audio_mp4`, or the name's ending);
 * null when they say nothing. Only for what is offered: the conversion looks at the bytes.
 */
export function slideshowSoundContainer(sound: SoundTrack): 'mp3' | 'mp4' | null {
  for (const url of sound.source.urls) {
    const [, type] = /[?&]mime_type=audio_(mpeg|mp4)(?:&|$)/.exec(url) ?? [];
    if (type !== undefined) return type === 'mp4' ? 'mp4' : 'mp3';
    const [, ending] = /^[^?#]+\.(mp3|m4a)(?:\?|$)/.exec(url) ?? [];
    if (ending !== undefined) return ending === 'm4a' ? 'mp4' : 'mp3';
  }
  return null;
}
