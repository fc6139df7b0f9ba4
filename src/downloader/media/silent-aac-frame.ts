import type { AacConfig } from './contracts.ts';
import { maybeSbr } from './mp3/layout.ts';

/** Elements of a frame (ISO/IEC 14496-3, 4.4.2.1): one channel, two, and the low frequencies. */
const single = 0;
const pair = 1;
const low = 3;

/** Elements by the number of channels (table 1.19). */
const elements: Readonly<Record<number, readonly number[]>> = {
  1: [single],
  2: [pair],
  3: [single, pair],
  4: [single, pair, single],
  5: [single, pair, pair],
  6: [single, pair, pair, low],
  8: [single, pair, pair, pair, low],
};

/**
 * A fill element with the extension of SBR, without its header (4.4.2.8): a decoder knows then that there is SBR, and only
 * doubles the rate until a header comes. Most decoders look for it in the first frame only.
 */
const sbr = `110${'0001'}${'1101'}${'0000'}`;

/** One long window without any bands (`ics_info`, 11 bits), and a channel's gain and its three tools, none in use. */
const window = '0'.repeat(11);
const gain = '0'.repeat(8);
const tools = '000';
const end = '111';

/** A frame that decodes to silence. It has SBR where the frames behind it may have it. */
export function silentAacFrame(config: Pick<AacConfig, 'objectType' | 'sampleRate' | 'channels'>): Buffer {
  const { objectType, channels } = config;
  const hasSbr = objectType !== 2 || maybeSbr(config);
  const used = new Map<number, number>();
  let bits = '';
  for (const element of elements[channels] ?? []) {
    const tag = used.get(element) ?? 0;
    used.set(element, tag + 1);
    bits += element.toString(2).padStart(3, '0') + tag.toString(2).padStart(4, '0');
    // A pair has its window in common, and no joint stereo.
    bits += element === pair ? `1${window}00${(gain + tools).repeat(2)}` : gain + window + tools;
    if (hasSbr && element !== low) bits += sbr;
  }
  const bytes = (bits + end).match(/.{1,8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
}
