import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseRange, contentRange, ifRangeHolds, parseRange, resolveRange } from './ranges.ts';

const size = fc.integer({ min: 0, max: 1e13 });
const position = fc.integer({ min: 0, max: 1e13 });

describe('parseRange', () => {
  it('reads every single range', () => {
    fc.assert(
      fc.property(position, position, (a, b) => {
        const [first, last] = a <= b ? [a, b] : [b, a];
        expect(parseRange(`bytes=${first}-${last}`)).toEqual({ kind: 'from', first, last });
        expect(parseRange(`bytes=${first}-`)).toEqual({ kind: 'from', first, last: null });
        expect(parseRange(`bytes=-${first}`)).toEqual({ kind: 'suffix', length: first });
      }),
    );
  });

  it.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=5-4',
    'bytes=a-b',
    'bytes=1-2,4-5',
    'bytes=1--2',
    'items=0-1',
    'bytes=0-1;',
    'bytes=0x1-2',
    `bytes=${'0'.repeat(300)}-`,
  ])('ignores %j', (header) => expect(parseRange(header)).toBeNull());

  it('accepts the spaces that the grammar of lists allows', () => {
    expect(parseRange('Bytes=\t0-1 ')).toEqual({ kind: 'from', first: 0, last: 1 });
  });

  it('treats numbers beyond exact integers as behind every file', () => {
    const requested = parseRange(`bytes=${'9'.repeat(40)}-`);
    expect(resolveRange(requested, 1e13).status).toBe(416);
    expect(resolveRange(parseRange(`bytes=1-${'9'.repeat(40)}`), 10)).toEqual({
      status: 206,
      start: 1,
      end: 10,
    });
    expect(resolveRange(parseRange(`bytes=-${'9'.repeat(40)}`), 10)).toEqual({
      status: 206,
      start: 0,
      end: 10,
    });
  });
});

describe('resolveRange', () => {
  const header = fc.oneof(
    fc.tuple(position, position).map(([a, b]) => `bytes=${a}-${b}`),
    position.map((a) => `bytes=${a}-`),
    position.map((a) => `bytes=-${a}`),
    fc.string(),
    fc.stringMatching(/^bytes=\d{0,20}-\d{0,20}$/),
  );

  it('never leaves the file, whatever the header says', () => {
    fc.assert(
      fc.property(header, size, (value, bytes) => {
        const choice = resolveRange(parseRange(value), bytes);
        if (choice.status === 200) expect(choice).toEqual({ status: 200, start: 0, end: bytes });
        else if (choice.status === 206) {
          expect(choice.start).toBeGreaterThanOrEqual(0);
          expect(choice.start).toBeLessThan(choice.end);
          expect(choice.end).toBeLessThanOrEqual(bytes);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('returns the bytes that the standard names', () => {
    fc.assert(
      fc.property(position, position, size, (first, more, bytes) => {
        const last = first + more;
        expect(resolveRange({ kind: 'from', first, last }, bytes)).toEqual(
          first < bytes
            ? { status: 206, start: first, end: Math.min(bytes, last + 1) }
            : { status: 416, start: 0, end: 0 },
        );
      }),
    );
  });

  it.each([
    ['bytes=-0', 10, 416],
    ['bytes=-1', 0, 416],
    ['bytes=0-', 0, 416],
    ['bytes=10-', 10, 416],
    ['bytes=9-', 10, 206],
  ])('answers %s of %i bytes with %i', (value, bytes, status) => {
    expect(resolveRange(parseRange(value), bytes).status).toBe(status);
  });
});

describe('If-Range', () => {
  it('matches only the same strong validator', () => {
    expect(ifRangeHolds(undefined, '"a"')).toBe(true);
    expect(ifRangeHolds('"a"', '"a"')).toBe(true);
    expect(ifRangeHolds('"b"', '"a"')).toBe(false);
    expect(ifRangeHolds('W/"a"', '"a"')).toBe(false);
    expect(ifRangeHolds('W/"a"', 'W/"a"')).toBe(false);
    expect(ifRangeHolds('Sat, 29 Oct 1994 19:43:31 GMT', '"a"')).toBe(false);
  });

  it('replaces a range of another version by the whole file', () => {
    const whole = { status: 200, start: 0, end: 10 };
    expect(chooseRange({ range: 'bytes=1-2', ifRange: '"old"' }, '"new"', 10)).toEqual(whole);
    expect(chooseRange({ range: 'bytes=50-', ifRange: '"old"' }, '"new"', 10)).toEqual(whole);
    expect(chooseRange({ range: 'bytes=1-2', ifRange: '"new"' }, '"new"', 10)).toEqual({
      status: 206,
      start: 1,
      end: 3,
    });
  });
});

it('writes Content-Range', () => {
  expect(contentRange({ status: 206, start: 1, end: 3 }, 10)).toBe('bytes 1-2/10');
  expect(contentRange({ status: 206, start: 1, end: 3 }, null)).toBe('bytes 1-2/*');
  expect(contentRange({ status: 416, start: 0, end: 0 }, 10)).toBe('bytes */10');
});
