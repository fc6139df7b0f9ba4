import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxCutMs, readCut, ringtoneFrom, writeCut } from './cut.ts';

test('a cut has one spelling', () => {
  const cuts = fc
    .tuple(
      fc.nat(maxCutMs - 1),
      fc.integer({ min: 1, max: maxCutMs }),
      fc.constantFrom('ring', 'silent', 'part'),
    )
    .map(([fromMs, lengthMs, kind]) =>
      kind === 'ring'
        ? ringtoneFrom(fromMs)
        : {
            ...{ fromMs, toMs: Math.min(maxCutMs, fromMs + lengthMs), isRingtone: false },
            ...(kind === 'silent' && { isSilent: true as const }),
          },
    );
  fc.assert(
    fc.property(cuts, (cut) => {
      expect(writeCut(cut)).toMatch(/^[a-z0-9-]{3,24}$/);
      expect(readCut(writeCut(cut))).toEqual(cut);
    }),
  );
  for (const text of [
    '',
    '5',
    '5-5',
    '9-3',
    '05-9',
    '1-1e3',
    'ring',
    'ring-05',
    'silent-5',
    'silent-9-3',
    '0-86400001',
    '-1-5',
    '1-2-3',
  ])
    expect(readCut(text), text).toBeNull();
});
