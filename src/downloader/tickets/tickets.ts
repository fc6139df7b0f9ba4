import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Failure } from '../../failures/failures.ts';
import { isConversion, readTicketFile, type TicketFile, writeTicketFile } from './ticket-file.ts';

/** Key: number of words between the work and the time: none, an egress, an egress (or `-`) and a waiter. */
const versions: readonly string[] = ['1', '2', '3'];
const noEgress = '-';

/** Four characters are enough: on a collision the post is merely read through another proxy. */
const egressMarkCharacters = 4;

/** 24 base64url characters are exactly 18 bytes, 144 bits: no spare bits that could be flipped unnoticed. */
const macCharacters = 24;

/** Longer than any ticket, whose words for platform and id take up to 80: rejected before parsing. */
const maxCharacters = 160;

/** Expiry is rounded up to this, so that a work keeps the same ticket for a while (caches, single flight). */
const expiryStepS = 15 * 60;

/** The clocks of instances that share a secret differ by less. */
const maxClockErrorS = 60;

interface TicketOptions {
  /** At least 16 bytes, the same on all instances; tickets use a key derived from it. */
  readonly secret: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Seconds; the same on all instances. 6 hours when left out. */
  readonly lifetimeS?: number;
  /** Ids of the egresses that a ticket may name. */
  readonly egresses?: readonly string[];
}

export interface Tickets {
  /**
   * A signed, expiring text for this work: `[A-Za-z0-9._-]`, safe as one path segment. Valid for the lifetime, rounded
   * up to the next quarter of an hour.
   */
  sign(work: TicketFile): string;
  /** @throws Failure `ticket_invalid` for anything we did not sign, `ticket_expired` */
  open(text: string): TicketFile;
}

/**
 * Tickets describe work completely and are signed (HMAC-SHA256, truncated to 144 bits as RFC 2104 section 5 allows), so
 * that every instance with the same secret can open them, also after a restart.
 */
export function createTickets({
  secret,
  now,
  lifetimeS = 6 * 60 * 60,
  egresses = [],
}: TicketOptions): Tickets {
  if (secret.length < 16) throw new RangeError('The secret for tickets needs at least 16 bytes.');
  const mac = macBy(secret, 'clipferry ticket', macCharacters);

  /**
   * Visitors see tickets: an egress appears in them as a keyed mark that reveals nothing about its proxy. The label is
   * part of issued tickets.
   */
  const markOf = macBy(secret, 'clipferry way', egressMarkCharacters);
  const marks = new Map(egresses.map((egress) => [egress, markOf(egress)]));
  const egressOfMark = new Map(egresses.map((egress) => [markOf(egress), egress]));

  return {
    sign(work) {
      const expiry = Math.ceil((now() / 1000 + lifetimeS) / expiryStepS).toString(36);
      const mark = marks.get(work.post.egress ?? '');
      const waiter = isConversion(work) ? work.waiter : undefined;
      const egressMark = mark ?? (waiter === undefined ? undefined : noEgress);
      const extras = [egressMark, waiter].filter((word) => word !== undefined);
      const payload = [versions[extras.length], writeTicketFile(work), ...extras, expiry].join('.');
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

      const [version = '', ...words] = payload.split('.');
      const extraWords = versions.indexOf(version);
      const expiryText = /^[0-9a-z]+$/.exec(words.pop() ?? '')?.[0] ?? '';
      const [mark, waiter] = words.splice(words.length - Math.max(0, extraWords));
      const work = extraWords < 0 ? null : readTicketFile(words.join('.'));
      const expiryS = Number.parseInt(expiryText, 36) * expiryStepS;
      if (work === null || Number.isNaN(expiryS)) {
        throw new Failure('ticket_invalid', { note: 'signed by us, but not of this version' });
      }
      const leftS = expiryS - now() / 1000;
      // More than any ticket has: signed while the clock was ahead, and good for as long as that was too much.
      if (leftS <= 0 || leftS > lifetimeS + expiryStepS + maxClockErrorS) throw new Failure('ticket_expired');
      // A vanished egress was only the preferred one for the post.
      const egress = egressOfMark.get(mark ?? '');
      const found = egress === undefined ? work : { ...work, post: { ...work.post, egress } };
      return isConversion(found) && waiter !== undefined ? { ...found, waiter } : found;
    },
  };
}

/** A keyed hash, as this many base64url characters; each purpose has its own key. */
function macBy(secret: Uint8Array, purpose: string, characters: number): (text: string) => string {
  const key = createSecretKey(new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), purpose, 32)));
  return (text) => createHmac('sha256', key).update(text).digest('base64url').slice(0, characters);
}
