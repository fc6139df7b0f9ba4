import { beforeEach, describe, expect, it } from 'vitest';
import { Failure, type FailureKey } from '../../../failures/failures.ts';
import { directEgress, type EgressSubject, ProxyEgressPool } from './egress-pool.ts';

const never = new AbortController().signal;
const minute = 60_000;

let time: number;
let egresses: ProxyEgressPool;
/** The platform's behaviour for each egress; by default it answers. */
let moods: Record<string, FailureKey | Failure>;
let requested: string[];

const make = (...ids: string[]) =>
  new ProxyEgressPool(
    ids.map((id) => ({ id, label: `http://${id}.example:80` })),
    () => time,
  );

const request = (subject: string | EgressSubject, signal = never) =>
  egresses.use(typeof subject === 'string' ? { name: subject } : subject, signal, async (egress = '') => {
    requested.push(egress);
    const mood = moods[egress];
    if (mood !== undefined) throw mood instanceof Failure ? mood : new Failure(mood);
    return egress;
  });

const keyOf = (promise: Promise<unknown>) => promise.catch((error: Failure) => error.key);
const resting = () =>
  egresses
    .states()
    .filter(({ restsForMs }) => restsForMs > 0)
    .map(({ id }) => id);
const subjects = Array.from({ length: 60 }, (_, at) => `post-${at}`);
/** A subject that belongs to this egress. */
const subjectOf = async (egress: string, skip = 0) => {
  const own = [];
  for (const name of subjects)
    if ((await make('a', 'b', 'c').use({ name }, never, async (id) => id)) === egress) own.push(name);
  return own[skip] ?? 'none';
};

beforeEach(() => {
  time = 1000;
  moods = {};
  requested = [];
  egresses = make('a', 'b', 'c');
});

describe('egresses', () => {
  it('send all requests about one subject through one egress, the same on every instance, and distribute the subjects', async () => {
    const first = await Promise.all(subjects.map((name) => request(name)));
    expect(await Promise.all(subjects.map((name) => request(name)))).toEqual(first);
    egresses = make('c', 'a', 'b');
    expect(await Promise.all(subjects.map((name) => request(name)))).toEqual(first);
    for (const id of ['a', 'b', 'c'])
      expect(first.filter((egress) => egress === id).length).toBeGreaterThan(8);
  });

  it("prefer the named egress to the subject's own, and ignore an unknown name", async () => {
    for (const egress of ['a', 'b', 'c']) expect(await request({ name: 'post', egress })).toBe(egress);
    expect(await request({ name: 'post', egress: 'gone' })).toBe(await request('post'));
  });

  it('move only the subjects of an egress that was removed', async () => {
    const before = await Promise.all(subjects.map((name) => request(name)));
    egresses = make('a', 'c');
    const after = await Promise.all(subjects.map((name) => request(name)));
    for (const [at, egress] of before.entries()) if (egress !== 'b') expect(after[at]).toBe(egress);
  });

  it('let an egress rest that the platform limits, for as long as it says, and use it again afterwards', async () => {
    const post = await subjectOf('a');
    moods.a = new Failure('platform_throttled', { retryAfterS: 300 });
    expect(await request(post)).not.toBe('a');
    expect(resting()).toEqual(['a']);
    delete moods.a;
    time += 300_000 - 1;
    expect(await request(post)).not.toBe('a');
    time += 1;
    expect(await request(post)).toBe('a');
    expect(resting()).toEqual([]);
  });

  it.each(['platform_blocked', 'platform_failed', 'platform_timeout'] as const)(
    'let an egress rest that had %s while another one was answered',
    async (key) => {
      const post = await subjectOf('b');
      moods.b = key;
      expect(await request(post)).not.toBe('b');
      expect(resting()).toEqual(['b']);
      requested = [];
      await request(post);
      expect(requested).not.toContain('b');
    },
  );

  it('count a refusal about the post as an answer, also against the previous egress', async () => {
    const post = await subjectOf('a');
    moods = { a: 'platform_blocked', b: 'post_gone', c: 'post_gone' };
    expect(await keyOf(request(post))).toBe('post_gone');
    expect(resting()).toEqual(['a']);
  });

  it('blame no egress when a post fails through several', async () => {
    moods = { a: 'platform_blocked', b: 'platform_blocked', c: 'platform_blocked' };
    for (const name of subjects) expect(await keyOf(request(name))).toBe('platform_blocked');
    expect(resting()).toEqual([]);
    // Two opinions are enough: a platform that refuses must not be flooded.
    expect(requested.length).toBe(2 * subjects.length);
  });

  it('draw no conclusion about an egress when the answer has an unexpected shape', async () => {
    moods = { a: 'platform_changed', b: 'platform_changed', c: 'platform_changed' };
    for (const name of subjects) expect(await keyOf(request(name))).toBe('platform_changed');
    expect(requested.length).toBe(subjects.length);
    expect(resting()).toEqual([]);
  });

  it('skip unusable proxies, which rest at once', async () => {
    const post = await subjectOf('a');
    const answer = await egresses.use({ name: post }, never, async (egress = '') => {
      requested.push(egress);
      if (requested.length === 3) return egress;
      egresses.unreachable(egress);
      throw new Failure('platform_failed');
    });
    expect(requested).toHaveLength(3);
    expect(resting().sort()).toEqual(requested.filter((egress) => egress !== answer).sort());
  });

  it('are used even when all of them rest, the one that returns soonest first', async () => {
    for (const id of ['b', 'a', 'c']) {
      egresses.unreachable(id);
      time += 1000;
    }
    expect(await request('post')).toBe('b');
    expect(resting()).toEqual(['a', 'c']);
  });

  it('rest longer each time, up to half an hour, until they answer again', async () => {
    egresses = make('a');
    const rests: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      egresses.unreachable('a');
      // A hundred connections that fail together are one failure.
      egresses.unreachable('a');
      const [state] = egresses.states();
      rests.push(state?.restsForMs ?? 0);
      time += state?.restsForMs ?? 0;
    }
    expect(rests.map((ms) => ms / minute)).toEqual([1, 2, 4, 8, 16, 30, 30]);
    await request('post');
    egresses.unreachable('a');
    expect(egresses.states()[0]?.restsForMs).toBe(minute);
  });

  it('rest, without another egress to compare, after three subjects in a row, and on the first one after a rest', async () => {
    egresses = make('a');
    moods.a = 'platform_blocked';
    for (const name of ['x', 'x', 'x', 'y']) await keyOf(request(name));
    expect(resting()).toEqual([]);
    delete moods.a;
    await request('z');
    moods.a = 'platform_blocked';
    for (const name of ['x', 'y', 'z']) await keyOf(request(name));
    expect(resting()).toEqual(['a']);
    time += minute;
    await keyOf(request('x'));
    expect(egresses.states()[0]?.restsForMs).toBe(2 * minute);
  });

  it('do not wake an egress by an answer to a request from before its rest', async () => {
    const early = Promise.withResolvers<string>();
    const answer = egresses.use({ name: 'post', egress: 'a' }, never, () => early.promise);
    time += 1;
    egresses.unreachable('a');
    early.resolve('late');
    expect(await answer).toBe('late');
    expect(resting()).toEqual(['a']);
  });

  it('learn nothing when a caller leaves, but do when time runs out', async () => {
    const left = new AbortController();
    const stop = (reason: unknown) =>
      egresses.use({ name: 'post', egress: 'a' }, left.signal, async (egress) => {
        requested.push(egress ?? '');
        left.abort(reason);
        throw left.signal.reason;
      });
    await expect(stop(new Error('left'))).rejects.toThrow('left');
    expect(egresses.states().find(({ id }) => id === 'a')).toMatchObject({ failed: 0 });

    const late = new AbortController();
    const runOut = (name: string) =>
      egresses.use({ name, egress: 'b' }, late.signal, async (egress) => {
        requested.push(egress ?? '');
        late.abort(new Failure('platform_timeout'));
        throw late.signal.reason;
      });
    for (const name of ['x', 'y', 'z']) await keyOf(runOut(name));
    expect(resting()).toEqual(['b']);
    expect(requested).toEqual(['a', 'b', 'b', 'b']);
  });

  it('count the outcomes of each', async () => {
    moods = { a: 'platform_blocked', b: 'platform_throttled' };
    await request({ name: 'post', egress: 'a' });
    const counts = egresses
      .states()
      .map(({ id, answered, challenged, limited }) => [id, answered, challenged, limited]);
    expect(counts.find(([id]) => id === 'a')).toEqual(['a', 0, 1, 0]);
    expect(counts.find(([id]) => id === 'c')?.[1]).toBe(1);
  });

  it('consist of one without a name when there are no proxies', async () => {
    expect(await directEgress.use({ name: 'x' }, never, async (egress) => egress)).toBeUndefined();
    expect(directEgress.states()).toEqual([]);
  });
});
