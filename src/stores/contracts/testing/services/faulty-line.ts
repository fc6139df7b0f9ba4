import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection to a server with simulated network faults. */
export interface FaultyLine {
  /** Address of the line's near end. */
  readonly port: number;
  /** Forwards nothing, and accepts no connections, until {@link FaultyLine.resume}. */
  stall(): void;
  /**
   * Like `stall`, but bytes sent meanwhile are lost, and existing connections stay dead: a firewall that lost its state.
   */
  lose(): void;
  /** New connections work; those that only stalled continue. */
  resume(): void;
  /** Breaks every connection. */
  reset(): void;
  /** Open connections through the line. */
  count(): number;
  close(): Promise<void>;
}

/** Opens a line to a server on a free port of the loopback interface, or on the given one. */
export async function openFaultyLine(target: { host: string; port: number }, port = 0): Promise<FaultyLine> {
  let state: 'open' | 'stalled' | 'losing' = 'open';
  const pairs = new Set<{ near: Socket; far: Socket; dead: boolean }>();
  /** A connection from during the fault: it gets no response until the fault ends. */
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
