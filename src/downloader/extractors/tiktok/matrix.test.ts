import { afterEach, expect, test, vi } from 'vitest';
import { Failure } from '../../../failures/failures.ts';
import type { TextRequest } from '../../network/contracts.ts';
import type { MatrixRow } from '../matrix.ts';
import videoItem from './cases/video-item.json' with { type: 'json' };
import { askMatrix } from './matrix.ts';
import { identities } from './testing/page-fixture.ts';
import {
  challengePage,
  detailPage,
  fakeNetwork,
  itemPage,
  never,
  now,
  page,
  videoReference,
} from './testing/platform-fake.ts';

type Reply = Parameters<typeof fakeNetwork>[0][string];

const [chrome] = identities;
const one = chrome === undefined ? [] : [chrome];
const good = { body: itemPage(videoItem) };

afterEach(() => void vi.useRealTimers());

async function ask(reply: Reply, list: typeof identities = one, signal = never) {
  const { network, requests } = fakeNetwork({
    'https://www.tiktok.com/@i/video/': reply,
    'https://m.tiktok.com/v/': reply,
    'https://www.tiktok.com/': { body: page({}), setCookies: ['ttwid=home; Domain=.tiktok.com; Path=/'] },
  });
  const rows: MatrixRow[] = [];
  const options = { strategy: 'tiktok/page', network, now: () => now, identities: list };
  for await (const row of askMatrix(options, { ...videoReference, egress: 'e1' }, signal)) rows.push(row);
  return { rows, requests };
}

test('every identity asks by each HTTP version, with a cold and then a warm jar of its own', async () => {
  const sent: (string | null | undefined)[] = [];
  const { rows, requests } = await ask((request: TextRequest) => {
    sent.push(request.jar?.headerFor(request.url));
    return { ...good, http: request.http ?? '1.1' };
  }, identities);
  expect(rows.map(({ identity, http, jar }) => `${identity} ${http} ${jar}`)).toEqual(
    identities.flatMap(({ name, http }) =>
      http.flatMap((by) => [`${name} ${by} cold`, `${name} ${by} warm`]),
    ),
  );
  expect(new Set(requests.map(({ egress }) => egress))).toEqual(new Set(['e1']));
  expect(sent).toEqual(rows.map(({ jar }) => (jar === 'cold' ? null : 'ttwid=home')));
  expect(rows[0]).toMatchObject({
    ...{ came: 'data', note: '', bytes: Buffer.byteLength(good.body), hd: true },
    encodings: expect.any(Number),
  });
});

test('what comes in place of the page has the name that the reader gives it', async () => {
  const shell = `<script id="__LOADABLE_REQUIRED_CHUNKS__">[]</script>${'x'.repeat(44_000)}`;
  const replies: readonly (readonly [Reply, string])[] = [
    [{ body: challengePage }, 'challenge'],
    [{ body: shell }, 'shell'],
    [{ body: detailPage({ statusCode: 0, itemInfo: {} }) }, 'stub'],
    [{ url: 'https://www.tiktok.com/login?redirect_url=x' }, 'log-in'],
    [{ body: '<h1>Site Under Maintenance</h1>' }, 'maintenance'],
    [{ status: 403 }, 'forbidden'],
    [{ status: 429 }, 'throttled'],
    [{ status: 502 }, 'failed'],
    [{ body: detailPage({ statusCode: 10204, statusMsg: "item doesn't exist" }) }, 'refused'],
    [{ body: '{"code":0}' }, 'other'],
  ];
  for (const [reply, came] of replies) {
    const { rows } = await ask(reply);
    expect(rows.map((row) => row.came)).toEqual([came, came, came, came]);
  }
});

test('a door that does not answer is not asked again, and the cause is named', async () => {
  const cause = new Error('Proxy response (502) when HTTP Tunneling');
  const { rows, requests } = await ask(new Failure('platform_failed', { cause }));
  expect(rows.map(({ jar, came, note }) => [jar, came, note])).toEqual([
    ['cold', 'no-answer', 'Error: Proxy response (502) when HTTP Tunneling'],
    ['cold', 'no-answer', 'Error: Proxy response (502) when HTTP Tunneling'],
  ]);
  expect(requests).toHaveLength(2);
});

test('a row that hangs ends', async () => {
  vi.useFakeTimers();
  const asked = ask(() => new Promise<never>(() => {}));
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await asked).rows.map(({ came }) => came)).toEqual(['no-answer', 'no-answer']);
});

test('HTTP/2 that was answered by 1.1 says so, and a jar of a challenge is not kept', async () => {
  const sent: (string | null | undefined)[] = [];
  const { rows } = await ask((request: TextRequest) => {
    sent.push(request.jar?.headerFor(request.url));
    return { body: challengePage, setCookies: ['ttwid=spoilt; Domain=.tiktok.com; Path=/'] };
  });
  expect(rows[0]?.note).toBe('challenge page; answered by HTTP/1.1');
  expect(sent).toEqual([null, 'ttwid=home', null, 'ttwid=home']);
});

test('an operator who leaves ends it', async () => {
  const end = new AbortController();
  const asked = ask(
    () => {
      end.abort(new Error('left'));
      return { body: challengePage };
    },
    one,
    end.signal,
  );
  await expect(asked).rejects.toThrow('left');
});
