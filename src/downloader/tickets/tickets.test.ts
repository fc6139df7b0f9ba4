import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import { pictureWidths, readTicketFile, type TicketFile, writeTicketFile } from './ticket-file.ts';
import { createTickets } from './tickets.ts';

const secret = Buffer.alloc(32, 7);
const start = Date.UTC(2026, 10, 20, 12, 3);

const post = fc.oneof(
  fc.record({ platform: fc.constant('tiktok'), id: fc.stringMatching(/^[0-9]{15,20}$/) }),
  fc.record({
    platform: fc.stringMatching(/^[a-z][a-z0-9]{0,15}$/),
    id: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
  }),
);
const index = fc.integer({ min: 0, max: 99 });
const width = fc.constantFrom(...pictureWidths);
const pixels = fc.integer({ min: 1, max: 99_999 });
const version = fc.record({ codec: fc.constantFrom('h264', 'h265'), width: pixels, height: pixels });
const cut = fc
  .tuple(fc.nat(80_000_000), fc.integer({ min: 1, max: 1_000_000 }))
  .map(([fromMs, lengthMs]) => ({ fromMs, toMs: fromMs + lengthMs, isRingtone: false }));
const anyWork: fc.Arbitrary<TicketFile> = fc.oneof(
  fc.record({ kind: fc.constant('video' as const), post, variant: fc.constantFrom('default', 'hd'), cut }),
  fc.record({ kind: fc.constant('sound' as const), post, format: fc.constantFrom('mp3', 'm4a'), cut }),
  fc.record({ kind: fc.constant('video' as const), post, variant: fc.constantFrom('default', 'hd') }),
  fc.record({ kind: fc.constant('sound' as const), post, format: fc.constantFrom('mp3', 'm4a') }),
  fc.record({ kind: fc.constant('picture' as const), post, index }),
  fc.record({ kind: fc.constant('motion' as const), post, index }),
  fc.record({ kind: fc.constant('zip' as const), post }),
  fc.record({ kind: fc.constant('video' as const), post, variant: version }),
  fc.record({ kind: fc.constant('cover' as const), post }),
  fc.record({
    kind: fc.constant('captions' as const),
    post,
    language: fc.constantFrom('en', 'en-US', 'zh-Hans-CN'),
  }),
  fc.record({ kind: fc.constant('slideshow' as const), post }),
  fc.record({ kind: fc.constant('image' as const), post, what: fc.constant('cover' as const), width }),
  fc.record({
    kind: fc.constant('image' as const),
    post,
    what: fc.constant('picture' as const),
    index,
    width,
  }),
);

const mp3: Extract<TicketFile, { kind: 'sound' }> = {
  kind: 'sound',
  format: 'mp3',
  post: { platform: 'tiktok', id: '7300000000000000001' },
};

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure) return error.key;
    throw error;
  }
  return 'accepted';
}

describe('tickets', () => {
  const tickets = createTickets({ secret, now: () => start });

  it('returns the signed work, from a short text that is safe in a path', () => {
    fc.assert(
      fc.property(anyWork, (work) => {
        const text = tickets.sign(work);
        expect(text).toMatch(/^[A-Za-z0-9._-]{1,160}$/);
        expect(tickets.open(text)).toEqual(work);
      }),
    );
  });

  it('refuses every changed, lost or added character', () => {
    const character = fc.oneof(
      fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
      fc.constantFrom('A', '.', '=', '0'),
    );
    fc.assert(
      fc.property(
        anyWork,
        fc.nat(),
        character,
        fc.constantFrom('replace', 'insert', 'delete'),
        (work, at, by, how) => {
          const text = tickets.sign(work);
          const place = at % text.length;
          const changed =
            text.slice(0, place) +
            (how === 'delete' ? '' : by) +
            text.slice(how === 'insert' ? place : place + 1);
          fc.pre(changed !== text);
          expect(refusal(() => tickets.open(changed))).toBe('ticket_invalid');
        },
      ),
      { numRuns: 500 },
    );
  });

  it('refuses every single changed bit', () => {
    const text = tickets.sign(mp3);
    for (let at = 0; at < text.length; at += 1) {
      for (let bit = 0; bit < 7; bit += 1) {
        const changed =
          text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << bit)) + text.slice(at + 1);
        expect(refusal(() => tickets.open(changed))).toBe('ticket_invalid');
      }
    }
  });

  it('refuses any text that it did not sign', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.base64String()), (text) => {
        expect(refusal(() => tickets.open(text))).toBe('ticket_invalid');
      }),
    );
  });

  it('refuses the ticket of another secret and opens one of another instance with the same secret', () => {
    const other = createTickets({ secret: Buffer.alloc(32, 8), now: () => start });
    const same = createTickets({ secret: Buffer.alloc(32, 7), now: () => start + 60_000 });
    expect(refusal(() => tickets.open(other.sign(mp3)))).toBe('ticket_invalid');
    expect(same.open(tickets.sign(mp3))).toEqual(mp3);
  });

  it('returns the same text within a quarter of an hour, and another one later', () => {
    const at = (ms: number) => createTickets({ secret, now: () => ms }).sign(mp3);
    expect(at(start + 11 * 60_000)).toBe(at(start));
    expect(at(start + 20 * 60_000)).not.toBe(at(start));
  });

  it('is valid for the requested time and at most a quarter of an hour more', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 7 }),
        fc.integer({ min: 1, max: 10 ** 5 }),
        (offset, lifetimeS) => {
          const signedAt = start + offset;
          let time = signedAt;
          const moving = createTickets({ secret, now: () => time, lifetimeS });
          const text = moving.sign(mp3);
          time = signedAt + lifetimeS * 1000 - 1;
          expect(moving.open(text)).toEqual(mp3);
          time = signedAt + (lifetimeS + 15 * 60) * 1000;
          expect(refusal(() => moving.open(text))).toBe('ticket_expired');
        },
      ),
    );
  });

  it('is refused when it was signed while the clock was ahead, and works when clocks differ a little', () => {
    const year = 365 * 86_400_000;
    const at = (ms: number) => createTickets({ secret, now: () => ms });
    const ahead = at(start + year).sign(mp3);
    expect(refusal(() => at(start).open(ahead))).toBe('ticket_expired');
    expect(refusal(() => at(start).open(at(start + 60 * 60_000).sign(mp3)))).toBe('ticket_expired');
    expect(refusal(() => at(start).open(at(start - year).sign(mp3)))).toBe('ticket_expired');
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 8 }),
        fc.integer({ min: -60_000, max: 60_000 }),
        (time, skew) => {
          expect(at(start + time).open(at(start + time + skew).sign(mp3))).toEqual(mp3);
        },
      ),
    );
  });

  it('name an egress by a mark that reveals nothing about it, and every instance that has the egress can read them', () => {
    const egresses = ['way-one', 'way-two'];
    const knowing = createTickets({ secret, now: () => start, egresses });
    fc.assert(
      fc.property(anyWork, fc.constantFrom(...egresses), (work, egress) => {
        const text = knowing.sign({ ...work, post: { ...work.post, egress } });
        expect(text).toMatch(/^2\.[A-Za-z0-9._-]{1,160}$/);
        expect(text).not.toContain(egress);
        expect(knowing.open(text)).toEqual({ ...work, post: { ...work.post, egress } });
        // An instance with other egresses reads the post through one of them.
        expect(tickets.open(text)).toEqual(work);
        expect(createTickets({ secret, now: () => start, egresses: ['other'] }).open(text)).toEqual(work);
      }),
    );
    const other = createTickets({ secret: Buffer.alloc(32, 8), now: () => start, egresses });
    const marks = [knowing, other].map((one) =>
      one.sign({ ...mp3, post: { ...mp3.post, egress: 'way-one' } }),
    );
    expect(new Set(marks.map((text) => text.split('.')[4])).size).toBe(2);
  });

  it('keep their former format without an egress', () => {
    const old = '1.tiktok.7300000000000000001.mp3.16r3d.SyjGzo9R_FwIlH13wBjqkC_-';
    expect(tickets.sign(mp3)).toBe(old);
    const knowing = createTickets({ secret, now: () => start, egresses: ['way-one'] });
    expect(knowing.open(old)).toEqual(mp3);
    expect(knowing.sign({ ...mp3, post: { ...mp3.post, egress: 'unknown' } })).toBe(old);
  });

  it('refuses every changed character of a ticket that names an egress', () => {
    const knowing = createTickets({ secret, now: () => start, egresses: ['way-one'] });
    const text = knowing.sign({ ...mp3, post: { ...mp3.post, egress: 'way-one' } });
    for (let at = 0; at < text.length; at += 1) {
      const by = text[at] === 'a' ? 'b' : 'a';
      for (const changed of [
        text.slice(0, at) + by + text.slice(at + 1),
        text.slice(0, at) + text.slice(at + 1),
      ])
        expect(refusal(() => knowing.open(changed))).toBe('ticket_invalid');
    }
  });

  it('name a waiter, with or without an egress, and do the same work', () => {
    const egresses = ['way-one'];
    const knowing = createTickets({ secret, now: () => start, egresses });
    const waiters = fc.stringMatching(/^[A-Za-z0-9_-]{8}$/);
    fc.assert(
      fc.property(waiters, fc.constantFrom(undefined, ...egresses), (waiter, egress) => {
        const work: TicketFile = {
          ...mp3,
          waiter,
          post: { ...mp3.post, ...(egress !== undefined && { egress }) },
        };
        const text = knowing.sign(work);
        expect(text).toMatch(/^3\.[A-Za-z0-9._-]{1,100}$/);
        expect(knowing.open(text)).toEqual(work);
        expect(tickets.open(text)).toEqual({ ...mp3, waiter });
        expect(writeTicketFile(work)).toBe(writeTicketFile(mp3));
        const other = text.replace(`.${waiter}.`, waiter === 'AAAAAAAA' ? '.BBBBBBBB.' : '.AAAAAAAA.');
        expect(refusal(() => knowing.open(other))).toBe('ticket_invalid');
      }),
    );
  });

  it('requires a real secret', () => {
    expect(() => createTickets({ secret: Buffer.alloc(15), now: () => start })).toThrow(RangeError);
  });
});

describe('work as text', () => {
  it('has one spelling only', () => {
    for (const text of [
      'tiktok.1.jpg-03',
      'tiktok.1.jpg-',
      'tiktok.1.mp4-sd',
      'tiktok.1.mp4-s',
      'tiktok.1.mp4-s-03',
      'tiktok.1.mp4-s-100',
      'tiktok.1.mp4-3',
      'tiktok.1.mp3-',
      'tiktok.1.jpg-100',
      'tiktok.1.cover-97',
      'Other.1.mp4',
      '1other.1.mp4',
      'oth-er.1.mp4',
      'tiktok..mp4',
      'tiktok.a/b.mp4',
      `tiktok.${'a'.repeat(65)}.mp4`,
      'tiktok.1',
      'tiktok.1.mp4.',
      'tiktok.1.jpg-1e1',
      'tiktok.1.zip.1-2',
      'tiktok.1.mp3.2-1',
      'tiktok.1.mp3.01-2',
      'tiktok.1.mp3.1-2.3-4',
      '',
    ]) {
      expect(readTicketFile(text), text).toBeNull();
    }
  });

  it('is read back only when writing returns the same text', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^tiktok\.[0-9]{0,3}\.(mp4|mp3|m4a|jpg|zip|cover|picture)[-a-z0-9.]{0,8}$/),
        (text) => {
          const work = readTicketFile(text);
          if (work !== null) expect(writeTicketFile(work)).toBe(text);
        },
      ),
    );
  });
});
