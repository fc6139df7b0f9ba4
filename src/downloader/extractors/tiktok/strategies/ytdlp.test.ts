import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '../../../../failures/failures.ts';
import { runBounded } from '../../bounded-process.ts';
import { faultOf, never, now, videoReference } from '../testing/platform-fake.ts';
import { ytdlpStrategy } from './ytdlp.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clipferry-ytdlp-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function program(script: string): Promise<string> {
  const path = join(folder, 'program');
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const env = (egress?: string) => ({
  PATH: process.env.PATH ?? '',
  ...(egress !== undefined && { HTTPS_PROXY: egress }),
});
const prime = 'https://v16-webapp-prime.us.tiktok.com/video/tos/x';
const answer = {
  id: videoReference.id,
  title: 'short',
  description: 'A whole description',
  uploader: 'invented.cook',
  channel: 'Invented Cook',
  duration: 17,
  timestamp: 1_700_000_030,
  thumbnail: 'https://p16-common-sign.tiktokcdn-us.com/tos/c.image?x-expires=1900000000',
  formats: [
    {
      format_id: 'download',
      format_note: 'watermarked',
      url: `${prime}/watermarked/?expire=1800000000`,
      vcodec: 'h264',
      width: 720,
      height: 1280,
    },
    {
      format_id: 'h264_540p',
      url: `${prime}/540/?expire=1800000000`,
      vcodec: 'h264',
      width: 576,
      height: 1024,
      tbr: 1500,
      filesize: 3_000_000,
      http_headers: { 'User-Agent': 'UA' },
      cookies: 'tt_chain_token="AAEC=="; Domain=.tiktok.com; Path=/; Secure; Expires=1',
    },
    { format_id: 'bad', url: 'https://evil.example/x.mp4', vcodec: 'h264', width: 1080, height: 1920 },
  ],
};

async function readWith(script: string) {
  return ytdlpStrategy({ path: await program(script), env }, () => now).read(videoReference, never);
}

async function keyOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'ok',
    (thrown: unknown) => (thrown instanceof Failure ? thrown.key : String(thrown)),
  );
}

describe('ytdlpStrategy', () => {
  it('passes our own address and reads the output', async () => {
    await writeFile(join(folder, 'answer.json'), JSON.stringify(answer));
    const post = await readWith(`echo "$@" > '${folder}/args'; cat '${folder}/answer.json'`);
    expect(faultOf(post)).toBeNull();
    expect(post).toMatchObject({
      title: 'A whole description',
      readBy: 'ytdlp',
      author: { handle: 'invented.cook' },
    });
    expect(post.videos).toMatchObject([
      {
        width: 576,
        bitrate: 1_500_000,
        source: {
          urls: [`${prime}/540/?expire=1800000000`],
          headers: { cookie: 'tt_chain_token=AAEC==', 'user-agent': 'UA' },
        },
      },
    ]);
    expect(await readFile(join(folder, 'args'), 'utf8')).toMatch(
      / -- https:\/\/www\.tiktok\.com\/@i\/video\/7301234567890123456\n$/,
    );
  });

  it('uses the given egress, and reveals its credentials to nobody', async () => {
    const path = await program('echo "ERROR: cannot use $HTTPS_PROXY" >&2; exit 1');
    const redact = (text: string, egress?: string) => text.replaceAll('s3cret', `(${egress})`);
    const reading = ytdlpStrategy({ path, env, redact }, () => now).read(
      { ...videoReference, egress: 'http://user:s3cret@proxy.example' },
      never,
    );
    await expect(reading).rejects.toThrow(/ended with 1: .*http:\/\/user:\(http/);
  });

  it('names every way in which it can fail', async () => {
    expect(await keyOf(readWith('echo "ERROR: blocked" >&2; exit 1'))).toBe('platform_failed');
    expect(await keyOf(readWith('echo "{"'))).toBe('post_unreadable');
    expect(await keyOf(readWith(`echo '{"id":"7309999999999999999"}'`))).toBe('post_unreadable');
    expect(await keyOf(readWith('head -c 5000000 /dev/zero'))).toBe('platform_failed');
    expect(
      await keyOf(
        ytdlpStrategy({ path: join(folder, 'missing'), env }, () => now).read(videoReference, never),
      ),
    ).toBe('platform_failed');
  });
});

describe('runBounded', () => {
  async function run(script: string, options: { signal?: AbortSignal } = {}) {
    const command = await program(script);
    return runBounded({
      command,
      args: [],
      env: env(),
      maxBytes: 1_000,
      signal: never,
      ...options,
    });
  }
  // A dead process that its new parent has not reaped yet is a zombie, not alive.
  const isAlive = (pid: number) => {
    const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
    return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
  };
  const pidFrom = async (file: string) => {
    const text = await vi.waitFor(async () => {
      const content = await readFile(join(folder, file), 'utf8');
      if (!content.endsWith('\n')) throw new Error('not written yet');
      return content;
    }, 15_000);
    return Number(text);
  };

  it('ends the whole group, including processes that ignore SIGTERM', async () => {
    const caller = new AbortController();
    const running = run(
      `trap '' TERM; (trap '' TERM; echo $(exec sh -c 'echo $PPID') > '${folder}/child'; while :; do sleep 1; done) & echo $$ > '${folder}/leader'; while :; do sleep 1; done`,
      { signal: caller.signal },
    );
    const ended = keyOf(running);
    const pids = [await pidFrom('leader'), await pidFrom('child')];
    expect(pids.map(isAlive)).toEqual([true, true]);
    caller.abort(new Error('left'));
    expect(await ended).toBe('Error: left');
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]), 3_000);
  });

  it('leaves no grandchild behind', async () => {
    const result = await run(`(sleep 60 & echo $! > '${folder}/child') >/dev/null 2>&1; echo done`);
    expect(result).toMatchObject({ code: 0, stdout: 'done\n' });
    const child = await pidFrom('child');
    await vi.waitFor(() => expect(isAlive(child)).toBe(false), 15_000);
  });

  it('does not start for a caller who has left', async () => {
    expect(
      await keyOf(run(`touch '${folder}/started'`, { signal: AbortSignal.abort(new Error('left')) })),
    ).toBe('Error: left');
    await expect(readFile(join(folder, 'started'))).rejects.toThrow();
  });
});
