import type { VideoVariant } from '../../../post/post.ts';

/** Null for codecs that no device plays (`bytevc2`, H.266) and unknown ones. */
export function codecOf(name: string): VideoVariant['codec'] | null {
  if (/bytevc2|h266|vvc/i.test(name)) return null;
  if (/h265|hevc|hvc1|bytevc1/i.test(name)) return 'h265';
  return /h264|avc/i.test(name) ? 'h264' : null;
}
