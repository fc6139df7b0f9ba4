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

/** One long window without any bands (`ics_info`, 11 bits), and a channel's gain and its three tools, none in use. */
const window = '0'.repeat(11);
const gain = '0'.repeat(8);
const tools = '000';
const end = '111';

/** A frame of AAC LC that decodes to silence. @param channels of an `AacConfig` */
export function silentAacFrame(channels: number): Buffer {
  const used = new Map<number, number>();
  let bits = '';
  for (const element of elements[channels] ?? []) {
    const tag = used.get(element) ?? 0;
    used.set(element, tag + 1);
    bits += element.toString(2).padStart(3, '0') + tag.toString(2).padStart(4, '0');
    // A pair has its window in common, and no joint stereo.
    bits += element === pair ? `1${window}00${(gain + tools).repeat(2)}` : gain + window + tools;
  }
  const bytes = (bits + end).match(/.{1,8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
}
