import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sliceOfObject } from './json.ts';
import { key, longRuns } from './testing/long-runs.ts';

const spaces = fc.constantFrom(undefined, 1, '\t');
const trickyText = fc
  .array(fc.constantFrom('"', '\\', `"${key}":{`, key, '{', '}', '[', ']', ':', ',', 'é', '😀', 'x'), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));
const value = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    trickyText,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(
      trickyText.filter((name) => name !== key),
      tie('node'),
      { maxKeys: 4 },
    ),
  ),
})).node;
const scope = fc.dictionary(
  trickyText.filter((name) => name !== key),
  value,
  { maxKeys: 4 },
);

describe('sliceOfObject', () => {
  it('returns what JSON.parse returns, whatever surrounds it', () => {
    fc.assert(
      fc.property(
        scope,
        fc.option(scope, { nil: undefined }),
        scope,
        spaces,
        (before, wanted, after, space) => {
          const whole = { ...before, ...(wanted === undefined ? {} : { [key]: wanted }), ...after };
          const text = Buffer.from(`prefix ${JSON.stringify({ scope: whole }, null, space)} suffix`);
          const slice = sliceOfObject(text, key, 7, text.length - 7);
          expect(slice === null ? undefined : JSON.parse(slice)).toEqual(
            JSON.parse(JSON.stringify(whole))[key],
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('returns null for every truncated text', () => {
    const text = Buffer.from(JSON.stringify({ a: 'x', [key]: { b: ['}', '"', { c: '\\' }], d: 1 } }));
    for (let length = 0; length < text.length - 1; length++)
      expect(sliceOfObject(text.subarray(0, length), key, 0, length)).toBeNull();
    expect(sliceOfObject(text, key, 0, text.length - 2)).toBeNull();
    expect(sliceOfObject(text, key, 0, text.length)).not.toBeNull();
  });

  it('takes the last of several members, as a parser does, and none from outside the range', () => {
    const slice = (text: string, start = 0, end = text.length) =>
      sliceOfObject(Buffer.from(text), key, start, end);
    const two = `{"${key}":{"n":1},"${key}":{"n":2},"names":["${key}"],"${key}":null}`;
    expect(slice(two)).toBe('{"n":2}');
    expect(slice(two, 0, two.indexOf('{"n":2}'))).toBe('{"n":1}');
    expect(slice(two, 2)).toBe('{"n":2}');
    expect(slice(`"${key}":{}`)).toBe('{}');
    expect(slice(`"${key}":{}`, 1)).toBeNull();
    expect(slice('')).toBeNull();
  });

  it.each(longRuns)('reads long runs of %s', (_, textOf) => {
    const text = textOf(2000);
    const bytes = Buffer.from(text);
    const slice = sliceOfObject(bytes, key, 0, bytes.length);
    expect(JSON.parse(slice ?? 'null')).toEqual(JSON.parse(text)[key]);
  });
});
