import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVisitNames } from './visits.ts';

const secret = new Uint8Array(32).fill(7);
const start = Date.UTC(2026, 10, 22, 12);

test('a name says whether its visit counts, on every instance with the same secret, for a day', () => {
  let now = start;
  const [here, there] = [0, 1].map(() => createVisitNames(secret, () => now));
  const counted = here?.make(true) ?? '';
  const uncounted = here?.make(false) ?? '';
  expect([counted, uncounted]).toEqual([
    expect.stringMatching(/^[\w-]{36}$/),
    expect.stringMatching(/^[\w-]{36}$/),
  ]);
  expect(here?.make(true)).not.toBe(counted);
  expect([there?.isCounted(counted), there?.isCounted(uncounted)]).toEqual([true, false]);
  expect(createVisitNames(new Uint8Array(32).fill(8), () => now).isCounted(counted)).toBe(false);
  now += 86_400_000;
  expect(there?.isCounted(counted)).toBe(true);
  now += 1000;
  expect(there?.isCounted(counted)).toBe(false);
});

test('an invented or changed name counts nothing', () => {
  const names = createVisitNames(secret, () => start);
  const counted = Buffer.from(names.make(true), 'base64url');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: counted.length * 8 - 1 }), (bit) => {
      const changed = Buffer.from(counted);
      const at = bit >> 3;
      changed.writeUInt8(changed.readUInt8(at) ^ (1 << (bit & 7)), at);
      expect(names.isCounted(changed.toString('base64url'))).toBe(false);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (name) => {
      expect(names.isCounted(name)).toBe(false);
    }),
  );
});
