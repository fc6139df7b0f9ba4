import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be disturbed as networks disturb it. */
export interface FaultyLine {
  /** Address of the line's near end. */
  readonly port: number;
  /** Passes nothing on, and connects nobody, until {@link FaultyLine.resume}. */
  stall(): void;
  /** The same, but what is sent meanwhile is lost, and connections that were there stay dead: a firewall that forgot them. */
  lose(): void;
  /** New connections work; those that only stalled go on. */
  resume(): void;
  /** Breaks every connection. */
  reset(): void;
  /** Connections that pass through now. */
  count(): number;
  close(): Promise<void>;
}

/** Opens a line on a free port of the loopback interface, or on this one, to a server. */
export async function openFaultyLine(target: { host: string; port: number }, port = 0): Promise<FaultyLine> {
  let state: 'open' | 'stalled' | 'losing' = 'open';
  const pairs = new Set<{ near: Socket; far: Socket; dead: boolean }>();
  /** Connected while nothing passed: nobody answers them until it does. */
  const waiting = new Set<Socket>();

  function join(near: Socket): void {
    const far = connect(target);
    const pair = { near, far, dead: false };
    pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => {
        if (!pair.dead) to.write(bytes);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
    }
  }

  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    if (state === 'open') return join(near);
    waiting.add(near);
    near.on('close', () => waiting.delete(near));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    stall() {
      state = 'stalled';
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.pause();
    },
    lose() {
      state = 'losing';
      for (const pair of pairs) pair.dead = true;
    },
    resume() {
      state = 'open';
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.resume();
      for (const near of waiting) join(near);
      waiting.clear();
    },
    reset() {
      for (const { near } of pairs) near.resetAndDestroy();
    },
    count: () => pairs.size,
    async close() {
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
      for (const near of waiting) near.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
