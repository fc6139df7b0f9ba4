/* Writes the boxes of mp4s (ISO/IEC 14496-12), with the high byte of numbers first. */
import { joined } from '../../../../../downloader/media/joined.ts';

export const bytes = (...values: number[]) => Uint8Array.from(values);
export const zeros = (count: number) => new Uint8Array(count);
/** A name, whose letters are one byte each. */
export const letters = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
export const u16 = (...values: number[]) => Uint8Array.from(values.flatMap((one) => [one >>> 8, one & 0xff]));
export const u32 = (...values: number[]) => u16(...values.flatMap((one) => [one >>> 16, one & 0xffff]));

export function box(type: string, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return joined(u32(8 + parts.reduce((sum, { length }) => sum + length, 0)), letters(type), ...parts);
}
