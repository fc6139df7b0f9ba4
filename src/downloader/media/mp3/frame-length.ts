import { bitrates } from './layout.ts';

/** kbit/s of MPEG-2 and 2.5 (ISO/IEC 13818-3, 2.4.2.3). */
const lowBitrates = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const sampleRates = [44_100, 48_000, 32_000];

/** Bytes of the layer III frame whose header is at `at` (ISO/IEC 11172-3, 2.4.2.3); 0 when there is no header. */
export function mp3FrameLength(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 4);
  if (at + 4 > bytes.length || a !== 0xff || (b & 0xe6) !== 0xe2) return 0;
  const version = (b >> 3) & 3;
  const isMpeg1 = version === 3;
  const kilobits = (isMpeg1 ? bitrates : lowBitrates)[(c >> 4) - 1];
  const rate = sampleRates[(c >> 2) & 3];
  if (version === 1 || kilobits === undefined || rate === undefined) return 0;
  const sampleRate = isMpeg1 ? rate : rate / (version === 2 ? 2 : 4);
  return Math.floor(((isMpeg1 ? 144_000 : 72_000) * kilobits) / sampleRate) + ((c >> 1) & 1);
}
