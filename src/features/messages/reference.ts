import { createHash } from 'node:crypto';

/** Neither vowels, which would make words, nor what looks like another sign. */
const signs = '23456789BCDFGHJKLMNPQRSTVWXZ';
const signsPerPart = 3;

/** The form of a reference, however it is typed. */
const form = new RegExp(`^([${signs}]{${signsPerPart}})[- ]?([${signs}]{${signsPerPart}})$`, 'i');

/**
 * The name of a message towards its writer, such as `K7Q-F2M`. It follows from what is kept, so that nothing more has to
 * be, and says neither how many messages there are nor what another one is called.
 * @param madeAt milliseconds since 1970
 */
export function referenceOf(id: number, madeAt: number): string {
  const bytes = createHash('sha256').update(`message ${id} ${madeAt}`).digest();
  const letters = Array.from(bytes.subarray(0, 2 * signsPerPart), (byte) => signs[byte % signs.length]);
  return `${letters.slice(0, signsPerPart).join('')}-${letters.slice(signsPerPart).join('')}`;
}

/** A reference as it is written here; null for what is none. */
export function readReference(text: string): string | null {
  const [, first, second] = form.exec(text.trim()) ?? [];
  return first === undefined ? null : `${first}-${second}`.toUpperCase();
}
