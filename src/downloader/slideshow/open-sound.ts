import { withTimeLimit } from '../async/time-limit.ts';
import { readAdts } from '../media/adts.ts';
import type { AacConfig, ByteSource } from '../media/contracts.ts';
import { readSound } from '../media/read-sound.ts';
import { sniffSound } from '../media/sniff-sound.ts';
import { planSound } from '../media/sound-plan.ts';

/** A post's sound as one stream, without an address or a container around it. */
export type OpenedSound =
  | { readonly format: 'mp3'; readonly bytes: AsyncIterable<Uint8Array> }
  /** Frames with ADTS headers. */
  | {
      readonly format: 'aac';
      readonly bytes: AsyncIterable<Uint8Array>;
      readonly sampleRate: number;
      /** LC in mono or stereo, which is heard everywhere: such a sound is copied. */
      readonly isPlain: boolean;
    };

/** Time limit for the sound's index. */
const sniffLimitMs = 30_000;

const isPlain = ({ objectType, channels }: AacConfig) => objectType === 2 && channels <= 2;

/**
 * Opens the sound of a slideshow, whatever container it comes in.
 * @throws Failure `media_unavailable`, `media_invalid`, `platform_timeout` …, or the signal's reason; so does reading it
 */
export async function openSound(source: ByteSource, signal: AbortSignal): Promise<OpenedSound> {
  const sniffed = await withTimeLimit(sniffLimitMs, signal, (limited) => sniffSound(source, limited));
  if (sniffed.kind === 'mp3') return { format: 'mp3', bytes: source.stream(sniffed.start, null, signal) };
  const { config, frames } =
    sniffed.kind === 'adts'
      ? await readAdts(source, sniffed.start, signal)
      : readSound(source, sniffed.movie, planSound(sniffed.movie), { signal });
  return { format: 'aac', bytes: frames, sampleRate: config.sampleRate, isPlain: isPlain(config) };
}
