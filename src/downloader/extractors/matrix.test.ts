import { expect, test } from 'vitest';
import { adviceFor, type Came, type MatrixRow } from './matrix.ts';

const doors = [
  ['chrome', 'desktop', '2'],
  ['chrome', 'desktop', '1.1'],
  ['firefox', 'desktop', '2'],
  ['firefox', 'desktop', '1.1'],
  ['iphone', 'phone', '2'],
  ['iphone', 'phone', '1.1'],
  ['own-name', 'honest', '1.1'],
] as const;

/** All rows of an egress, as the gate answers them. */
const rows = (came: (row: Pick<MatrixRow, 'identity' | 'kind' | 'http' | 'jar'>) => Came, hd = true) =>
  doors.flatMap(([identity, kind, http]) =>
    (['cold', 'warm'] as const).map((jar): MatrixRow => {
      const row = { identity, kind, http, jar };
      const answer = came(row);
      const isData = answer === 'data';
      return {
        ...{ ...row, came: answer, note: '', bytes: 1400, ms: 1 },
        ...{ encodings: isData ? 4 : 0, hd: isData && hd, captions: 0 },
      };
    }),
  );
const first = (...of: Parameters<typeof rows>) => adviceFor(rows(...of))[0];

test('where every identity gets the post, or nothing was asked, there is nothing to do', () => {
  expect(adviceFor([])).toEqual([]);
  expect(adviceFor(rows(() => 'data'))).toEqual(['Every identity gets the post here: nothing to do.']);
});

test.each([
  ['challenge', 'Every identity is challenged: use another line in OUTBOUND_PROXIES.'],
  ['forbidden', 'Every identity is challenged: use another line in OUTBOUND_PROXIES.'],
  ['log-in', 'Every identity is sent to the log-in page: use another line in OUTBOUND_PROXIES.'],
  ['maintenance', 'The platform is under maintenance or broken here: wait, then use another line'],
  ['throttled', 'Requests are limited here (429): wait some minutes'],
  ['no-answer', "Nothing answers here: check the machine's network"],
  ['refused', 'The platform answers, but does not give this post to anybody here'],
  ['shell', 'No identity gets the post (shell): use another line in OUTBOUND_PROXIES'],
] as const)('everybody gets %s', (came, text) => {
  expect(adviceFor(rows(() => came))).toHaveLength(1);
  expect(first(() => came)).toContain(text);
});

test('different refusals are all named', () => {
  expect(first(({ kind }) => (kind === 'phone' ? 'stub' : 'challenge'))).toContain('(challenge, stub)');
});

test.each([
  ['phone', "Only the phone's page answers here"],
  ['desktop', "Only the desktop's page answers here"],
  ['honest', "Only the site's own name answers here"],
] as const)('only one kind gets the post: %s', (open, text) => {
  expect(adviceFor(rows(({ kind }) => (kind === open ? 'data' : 'challenge')))).toEqual([
    expect.stringContaining(text),
  ]);
});

test.each(['1.1', '2'] as const)('only HTTP/%s is let in', (open) => {
  expect(first(({ http }) => (http === open ? 'data' : 'challenge'))).toContain(
    `Only HTTP/${open} is let in`,
  );
});

test.each(['cold', 'warm'] as const)('only %s jars are let in', (open) => {
  const text = open === 'warm' ? 'Only jars with cookies' : 'Only jars without cookies';
  expect(adviceFor(rows(({ jar }) => (jar === open ? 'data' : 'shell')))).toEqual([
    expect.stringContaining(text),
  ]);
});

test('an identity that is always turned away is named, single refusals are not', () => {
  expect(adviceFor(rows(({ identity }) => (identity === 'chrome' ? 'challenge' : 'data')))).toEqual([
    'Turned away here: chrome. Nothing to do, other identities are asked first.',
  ]);
  expect(
    first(({ identity, http, jar }) =>
      identity === 'chrome' && http === '2' && jar === 'warm' ? 'challenge' : 'data',
    ),
  ).toContain('Single requests are turned away here');
});

test('limits and missing HD are said beside the rest', () => {
  expect(adviceFor(rows(({ identity }) => (identity === 'chrome' ? 'throttled' : 'data')))).toContainEqual(
    expect.stringContaining('(429)'),
  );
  expect(adviceFor(rows(() => 'data', false))).toEqual([
    expect.stringContaining('No page that answers here has HD of this post'),
  ]);
  const some = rows(() => 'data').map((row) => ({ ...row, hd: row.kind !== 'phone' }));
  expect(adviceFor(some)).toEqual([expect.stringContaining('No HD as iphone')]);
});
