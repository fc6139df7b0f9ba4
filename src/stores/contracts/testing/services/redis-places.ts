import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** A Redis for one test file, without other writers. */
export interface RedisPlace {
  readonly host: string;
  readonly port: number;
  /** The values of `REDIS_URL` and `REDIS_PREFIX`. */
  readonly environment: { readonly REDIS_URL: string; readonly REDIS_PREFIX: string };
  remove(): Promise<void>;
}

const given = process.env.TEST_REDIS_URL;

/** Whether a Redis server responds at this address. */
async function answers(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    return await new Promise<boolean>((resolve) => {
      const no = () => resolve(false);
      socket.setTimeout(10_000, no);
      socket.once('error', no).once('close', no);
      socket.once('data', (data) => resolve(/^[+-]/.test(data.toString())));
      socket.write('PING\r\n');
    });
  } finally {
    socket.destroy();
  }
}

const hasProgram = async () => {
  const child = spawn('redis-server', ['--version'], { stdio: 'ignore' });
  return new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
};

/** A separate in-memory server, which ends with the tests at the latest. */
async function startServer(): Promise<RedisPlace> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'clipferry-redis-'));
  const child: ChildProcess = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
    { stdio: 'ignore' },
  );
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const ended = once(child, 'exit');
  while (!(await answers('127.0.0.1', port))) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
    await pause(20);
  }
  return {
    host: '127.0.0.1',
    port,
    environment: { REDIS_URL: `redis://127.0.0.1:${port}`, REDIS_PREFIX: 'clipferry' },
    async remove() {
      process.off('exit', end);
      end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A part of the server that a developer named. */
function partOf(url: string): RedisPlace {
  const { hostname, port } = new URL(url);
  return {
    host: hostname,
    port: Number(port || 6379),
    environment: { REDIS_URL: url, REDIS_PREFIX: `test-${randomUUID()}` },
    async remove() {},
  };
}

/**
 * Whether a Redis is available for tests: the program is installed, or `TEST_REDIS_URL` names a server. Otherwise its
 * tests are skipped: a server that happens to run on this machine belongs to somebody else.
 */
export const hasRedis = given !== undefined || (await hasProgram());

/** Makes a Redis for a test: a prefix of the one in `TEST_REDIS_URL`, else a separate server. */
export async function makeRedisPlace(): Promise<RedisPlace> {
  return given === undefined ? startServer() : partOf(given);
}
