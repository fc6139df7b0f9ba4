import type { Command, Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchReplies } from './watch-replies.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A connection on which a test answers, oldest first. */
function connect() {
  const pending: (() => void)[] = [];
  const broken = vi.fn();
  const client = {
    stream: { destroy: broken },
    sendCommand: () => {},
  };
  watchReplies(client as unknown as Redis);
  return {
    client,
    broken,
    call() {
      const { promise, resolve } = Promise.withResolvers<void>();
      pending.push(resolve);
      const send = client.sendCommand as unknown as (command: Command) => void;
      send({ promise } as unknown as Command);
    },
    answer: () => pending.shift()?.(),
  };
}

test('closes the connection of a silent server after a second, and not before', async () => {
  const { call, broken } = connect();
  call();
  await vi.advanceTimersByTimeAsync(900);
  expect(broken).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(150);
  expect(broken).toHaveBeenCalledOnce();
});

test('closes the connection of a server that answers too slowly', async () => {
  const { call, answer, broken } = connect();
  for (let n = 0; n < 20; n += 1) call();
  for (let n = 0; n < 4; n += 1) {
    await vi.advanceTimersByTimeAsync(200);
    answer();
  }
  expect(broken).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(250);
  expect(broken).toHaveBeenCalledOnce();
});

test('keeps the connection of a server that answers each call in time, however long calls continue', async () => {
  const { call, answer, broken } = connect();
  for (let n = 0; n < 8; n += 1) {
    call();
    await vi.advanceTimersByTimeAsync(100);
  }
  for (let n = 0; n < 50; n += 1) {
    answer();
    call();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(broken).not.toHaveBeenCalled();
});

test('calls that wait since an earlier connection do not close a new one', async () => {
  const { client, call, broken } = connect();
  call();
  await vi.advanceTimersByTimeAsync(950);
  const next = { destroy: vi.fn() };
  client.stream = next;
  call();
  await vi.advanceTimersByTimeAsync(900);
  expect(next.destroy).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(250);
  expect(next.destroy).toHaveBeenCalledOnce();
  expect(broken).not.toHaveBeenCalled();
});
