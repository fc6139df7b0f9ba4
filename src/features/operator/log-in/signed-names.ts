import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const nameBytes = 16;
const form = /^([\w-]{22})\.([0-9a-z]{1,9})\.([\w-]{43})$/;

/** Gives random names with a time of their end, in milliseconds since 1970, that nobody else can make. */
export type SignedNames = ReturnType<typeof createSignedNames>;

/**
 * @param key signs them
 * @param kind names of one kind are none of another
 * @param now milliseconds since 1970
 */
export function createSignedNames(key: Uint8Array, kind: string, now: () => number) {
  const signature = (name: string, end: string) =>
    createHmac('sha256', key).update(`${kind}.${name}.${end}`).digest();
  return {
    /** @returns the name, and the text of a cookie that proves it */
    make(lifeMs: number) {
      const name = randomBytes(nameBytes).toString('base64url');
      const endsAt = now() + lifeMs;
      const end = endsAt.toString(36);
      return { name, endsAt, text: `${name}.${end}.${signature(name, end).toString('base64url')}` };
    },
    /** The name that a cookie proves; null for any other text, and after its end. */
    read(text: string | null) {
      const [, name, end, signed] = form.exec(text ?? '') ?? [];
      if (name === undefined || end === undefined || signed === undefined) return null;
      if (!timingSafeEqual(Buffer.from(signed, 'base64url'), signature(name, end))) return null;
      const endsAt = Number.parseInt(end, 36);
      return endsAt > now() ? { name, endsAt } : null;
    },
  };
}
