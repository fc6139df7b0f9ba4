import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Failure } from '../failures.ts';
import { readWork, type Work, writeWork } from './work.ts';

const version = '1';

/** 24 base64url characters are exactly 18 bytes, 144 bits: no spare bits that could be flipped unnoticed. */
const macCharacters = 24;

/** Longer than any ticket: refused before anything looks at it. */
const maxCharacters = 128;

/** Expiry is rounded up to this, so that one work has the same ticket for a while (caches, single flight). */
const expiryStepS = 15 * 60;

/** The clocks of instances that share a secret differ by less. */
const maxClockErrorS = 60;

interface TicketOptions {
  /** At least 16 bytes, the same on all instances; a key of its own is derived from it. */
  readonly secret: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Seconds; the same on all instances. 6 hours when left out. */
  readonly lifetimeS?: number;
}

export interface Tickets {
  /**
   * A signed, expiring text for this work: `[A-Za-z0-9._-]`, safe as one path segment. It is good for the lifetime,
   * rounded up to the next quarter of an hour.
   */
  sign(work: Work): string;
  /** @throws Failure `ticket_invalid` for anything we did not sign, `ticket_expired` */
  open(text: string): Work;
}

/**
 * Tickets describe work completely and are signed (HMAC-SHA256, truncated to 144 bits as RFC 2104 section 5 allows),
 * so that every instance with the same secret can open them, also after a restart.
 */
export function createTickets({ secret, now, lifetimeS = 6 * 60 * 60 }: TicketOptions): Tickets {
  if (secret.length < 16) throw new RangeError('The secret for tickets needs at least 16 bytes.');
  const key = createSecretKey(
    new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), 'clipferry ticket', 32)),
  );
  const mac = (payload: string) =>
    createHmac('sha256', key).update(payload).digest('base64url').slice(0, macCharacters);

  return {
    sign(work) {
      const expiry = Math.ceil((now() / 1000 + lifetimeS) / expiryStepS);
      const payload = `${version}.${writeWork(work)}.${expiry.toString(36)}`;
      return `${payload}.${mac(payload)}`;
    },

    open(text) {
      if (text.length > maxCharacters || text.length <= macCharacters) throw new Failure('ticket_invalid');
      const payload = text.slice(0, -macCharacters - 1);
      // Compared as text, not decoded: base64 decoders ignore what they do not know.
      const given = Buffer.from(text.slice(-macCharacters - 1), 'utf8');
      const expected = Buffer.from(`.${mac(payload)}`, 'utf8');
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new Failure('ticket_invalid');
      }

      const [, writtenVersion, workText, expiryText] = /^(\d+)\.(.+)\.([0-9a-z]+)$/.exec(payload) ?? [];
      const work = writtenVersion === version && workText !== undefined ? readWork(workText) : null;
      const expiryS = Number.parseInt(expiryText ?? '', 36) * expiryStepS;
      if (work === null || Number.isNaN(expiryS)) {
        throw new Failure('ticket_invalid', { note: 'signed by us, but not of this version' });
      }
      const leftS = expiryS - now() / 1000;
      // More than any ticket has: signed while the clock was ahead, and good for as long as that was too much.
      if (leftS <= 0 || leftS > lifetimeS + expiryStepS + maxClockErrorS) throw new Failure('ticket_expired');
      return work;
    },
  };
}
