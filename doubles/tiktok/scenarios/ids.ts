import { createHash } from 'node:crypto';

const FIRST_SECOND = Date.UTC(2025, 5, 1) / 1000;
const SECONDS = 400 * 86_400;

/** Lower halves from here on are reserved for numbered posts. */
const NUMBERED = 0xb0000000n;
const NUMBERED_SECOND = BigInt(FIRST_SECOND + SECONDS);
const NUMBERED_COUNT = 0x01000000n;

/** A post's id from its name: the same in every run, whatever else is in the list. */
export function idOf(name: string): string {
  const hash = createHash('sha256').update(name).digest();
  const second = FIRST_SECOND + (hash.readUInt32BE(0) % SECONDS);
  return String((BigInt(second) << 32n) | BigInt(hash.readUInt32BE(4)));
}

/** When the post was made, in Unix seconds: 30 s after the second in its id, as on the platform. */
export function createdAtS(id: string): number {
  return Number(BigInt(id) >> 32n) + 30;
}

/**
 * Id of the numbered post (0 to 16,777,215): all are the post `numbered`, so that a benchmark can request many
 * different ones.
 */
export function numberedId(number: number): string {
  return String((NUMBERED_SECOND << 32n) | (NUMBERED + BigInt(number)));
}

/** True for the id of a numbered post. */
export function isNumberedId(id: string): boolean {
  const value = BigInt(id);
  const low = value & 0xffffffffn;
  return value >> 32n === NUMBERED_SECOND && low >= NUMBERED && low < NUMBERED + NUMBERED_COUNT;
}
