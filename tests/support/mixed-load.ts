import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { postNamed, postUrl } from '../../doubles/tiktok/scenarios/posts.ts';
import type { ErrorResponse, ResolveResponse } from '../../src/site/api.ts';
import { givenTo } from './balancer.ts';
import { originalVideo } from './clips.ts';
import { type Dice, dice } from './dice.ts';
import { readMp3 } from './mp3.ts';
import { numberedId } from './platform.ts';

/** A request that failed. Times are those of `performance.now()`, in ms. */
export interface Mishap {
  readonly what: string;
  readonly about: string;
  readonly since: number;
  readonly until: number;
  /** Addresses of the instances that served it; empty when it ended before they were known. */
  readonly instances: string;
}

/** Visitors of many kinds, at a site until they are stopped. */
export interface MixedLoad {
  /** Completed actions, by kind. */
  readonly done: Readonly<Record<string, number>>;
  readonly mishaps: readonly Mishap[];
  /** Wrong bytes and false responses: they are never excused. */
  readonly untrue: readonly string[];
  /** Ends running actions, and waits for them. */
  stop(): Promise<void>;
}

const slowVideo = 'long-60s';
/** Videos to download, with links to them. */
const videos = ['ordinary', slowVideo, 'landscape', 'moov-last'].map((name) => ({
  url: postUrl(postNamed(name)),
  bytes: originalVideo(name),
}));
const pages = [
  '/',
  '/download-mp3-tiktok',
  '/tiktok-video-downloader',
  '/posts',
  '/mp3-or-m4a',
  '/contact',
  '/de',
  '/ar/download-mp3-tiktok',
  '/ja/posts',
  '/fr/terms-of-use',
];
/** Every sound belongs to another post, so that each must be converted. All these posts are the same clip. */
const slowPost = 'numbered';
const slowPostS = 7;
const triesOfOne = 30;
const filesOfPage = 4;
/** Makes sounds and a video slow, so that faults can happen meanwhile. */
export const slowFiles = {
  posts: { [slowPost]: { bandwidthBps: 16_000_000 }, [slowVideo]: { bandwidthBps: 100_000_000 } },
};

class Failed extends Error {}

function orFailed(error: unknown): Failed {
  if (error instanceof Failed) return error;
  throw error;
}

interface Reading {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Statuses that are fine. */
  readonly expected?: readonly number[];
  /** Whether the body may end early. */
  readonly mayBreak?: boolean;
  /** Called with each piece of an expected response's body. */
  readonly onBytes?: (bytes: Buffer, headers: Answer['headers'], status: number) => void;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/**
 * Starts visitors who each perform one action after the other: read pages with their files, resolve, save videos and
 * sounds (resuming by range), watch a sound's progress, and cancel one. All responses are checked.
 * @param visitors number at once; each comes from its own address
 * @param seed of their choices
 */
export function startMixedLoad(
  origin: string,
  { visitors, seed }: { readonly visitors: number; readonly seed: number },
): MixedLoad {
  const done: Record<string, number> = {};
  const mishaps: Mishap[] = [];
  const untrue: string[] = [];
  const ended = new AbortController();
  let sounds = 0;

  async function visit(n: number): Promise<void> {
    const choices = dice(seed * 1000 + n);
    const agent = new Agent({
      connect: { localAddress: `127.0.1.${n + 1}` },
      bodyTimeout: 0,
      headersTimeout: 0,
    });
    const visitor = createVisitor(agent, choices);
    while (!ended.signal.aborted) {
      const kind = choices.oneOf(kinds);
      try {
        await visitor[kind]();
        done[kind] = (done[kind] ?? 0) + 1;
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
      }
    }
    await agent.close();
  }

  function createVisitor(dispatcher: Agent, { oneOf, chance, below }: Dice) {
    /** Reads a response, and passes its bytes on as they arrive; a broken one counts as a mishap. */
    async function read(
      what: string,
      path: string,
      { expected = [200], mayBreak = false, onBytes, ...init }: Reading = {},
    ): Promise<Answer> {
      const since = performance.now();
      let instances = '';
      const fail = (about: string): never => {
        if (!mayBreak || instances === '')
          mishaps.push({ what: `${what} ${path}`, about, since, until: performance.now(), instances });
        throw new Failed(about);
      };
      let answer: Answer;
      try {
        const response = await request(origin + path, { dispatcher, ...init });
        instances = String(response.headers[givenTo] ?? '');
        const parts: Buffer[] = [];
        const { statusCode: status, headers } = response;
        for await (const part of response.body as AsyncIterable<Buffer>) {
          parts.push(part);
          if (expected.includes(status)) onBytes?.(part, headers, status);
        }
        answer = { status, headers, body: Buffer.concat(parts) };
      } catch (error) {
        return fail(String(error));
      }
      if (!expected.includes(answer.status))
        return fail(`${answer.status} ${answer.body.toString().slice(0, 300)}`);
      return answer;
    }

    async function resolve(url: string): Promise<ResolveResponse['result']> {
      const { body } = await read('resolve', '/api/resolve', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url }),
      });
      const answer = JSON.parse(body.toString()) as ResolveResponse | ErrorResponse;
      if (!('result' in answer)) throw new Error(`200 with ${body}`);
      if (!url.includes(answer.result.post.id)) untrue.push(`asked for ${url}, was told ${body}`);
      return answer.result;
    }

    async function hrefOf(url: string, option: string): Promise<string> {
      const { options } = await resolve(url);
      const { href } = options.find(({ id }) => id === option) ?? {};
      if (href === undefined) throw new Error(`${url} does not offer ${option}`);
      return href;
    }

    /** Saves a file as browsers do: an interrupted transfer resumes where it ended. */
    async function save(href: string): Promise<Buffer> {
      let have: Buffer[] = [];
      let size = 0;
      let etag = '';
      for (let tries = 1; ; tries += 1) {
        const requested = size;
        try {
          let isNew = true;
          await read('file', href, {
            headers: requested > 0 ? { range: `bytes=${requested}-`, 'if-range': etag } : {},
            expected: [200, 206],
            onBytes(bytes, headers, status) {
              if (isNew && status === 200) [have, size] = [[], 0];
              isNew = false;
              etag = String(headers.etag ?? '');
              have.push(bytes);
              size += bytes.length;
            },
          });
          return Buffer.concat(have);
        } catch (error) {
          if (!(error instanceof Failed) || tries === triesOfOne) throw error;
          await pause(100);
        }
      }
    }

    /** Reads a page and some of its files. @returns whether it has all of them */
    async function readPage(path: string, count: number, forFiles: Reading = {}): Promise<boolean> {
      const { body } = await read('page', path, { headers: { accept: 'text/html' } });
      const html = body.toString();
      if (!html.includes('</html>')) untrue.push(`${path} ends with ${html.slice(-100)}`);
      const files = [...new Set(html.match(/\/_app\/[\w./-]+\.(?:js|css)/g))];
      if (files.length === 0) untrue.push(`${path} names no files`);
      for (const file of files.slice(0, count)) {
        const answer = await read('built file', file, forFiles).catch(orFailed);
        if (answer instanceof Failed) return false;
      }
      return true;
    }

    const newSound = () => {
      sounds += 1;
      return hrefOf(`https://www.tiktok.com/@a/video/${numberedId(seed * 10_000 + sounds)}`, 'mp3');
    };
    const stateOf = async (href: string) => {
      const { body } = await read('status', `${href}/status`);
      return (JSON.parse(body.toString()) as { result: { state: string; bytes: number | null } }).result;
    };

    return {
      async page() {
        const path = oneOf(pages);
        const isWhole = await readPage(path, chance(0.5) ? filesOfPage : 0, { mayBreak: true });
        // Between its page and its files the last instance of a version may have gone: browsers then load the page
        // again.
        if (!isWhole) await readPage(path, filesOfPage);
      },
      async resolve() {
        await resolve(oneOf(videos).url);
      },
      async video() {
        const { url, bytes } = oneOf(videos);
        const saved = await save(await hrefOf(url, 'mp4'));
        if (!saved.equals(bytes)) untrue.push(`${url}: ${saved.length} bytes, not the ${bytes.length}`);
      },
      async sound() {
        const href = await newSound();
        const saved = await save(href);
        const { durationS, rest } = readMp3(saved);
        if (Math.abs(durationS - slowPostS) > 0.2 || rest > 0)
          untrue.push(`${href}: ${durationS} s and ${rest} bytes, not ${slowPostS} s`);
        const { state, bytes } = await stateOf(href);
        if (state === 'done' && bytes !== saved.length) untrue.push(`${href}: done with ${bytes} bytes`);
      },
      /** A visitor who watches the progress and then cancels. */
      async cancelled() {
        const href = await newSound();
        const saving = read('unwanted file', href, { expected: [200, 409], mayBreak: true }).catch(orFailed);
        for (let looks = below(4); looks > 0; looks -= 1) await stateOf(href);
        await read('cancel', `${href}/status`, { method: 'DELETE' });
        const outcome = await saving;
        if (!(outcome instanceof Failed) && outcome.status === 200) readMp3(outcome.body);
      },
    };
  }

  const kinds = [
    'page',
    'page',
    'page',
    'resolve',
    'resolve',
    'video',
    'video',
    'video',
    'sound',
    'cancelled',
  ] as const;
  const running = Array.from({ length: visitors }, (_, n) => visit(n));
  return {
    done,
    mishaps,
    untrue,
    async stop() {
      ended.abort();
      await Promise.all(running);
    },
  };
}
