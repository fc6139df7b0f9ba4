import { Pool } from 'undici';
import { cpuMs } from './process-cost.ts';

/** A server's cost for a number of equal requests. */
export interface Load {
  /** CPU of the server's process for each request, in microseconds. */
  readonly cpuUs: number;
  /** Bytes of each response on the wire. */
  readonly bytes: number;
  /** Wall time of the whole, in ms. */
  readonly elapsedMs: number;
}

/** Requests addresses over keep-alive connections, several at once, and measures the server's process. */
export async function load(
  { origin, pid }: { origin: string; pid: number },
  count: number,
  pathOf: (n: number) => string,
  headers: Record<string, string> = {},
): Promise<Load> {
  const atOnce = 16;
  const pool = new Pool(origin, { connections: atOnce });
  let next = 0;
  let bytes = 0;
  const worker = async () => {
    while (next < count) {
      const answer = await pool.request({ method: 'GET', path: pathOf(next++), headers });
      const body = await answer.body.arrayBuffer();
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
      bytes = body.byteLength;
    }
  };
  const cpuBefore = cpuMs(pid);
  const since = performance.now();
  await Promise.all(Array.from({ length: atOnce }, worker));
  const elapsedMs = performance.now() - since;
  const cpuUs = ((cpuMs(pid) - cpuBefore) * 1000) / count;
  await pool.close();
  return { cpuUs, bytes, elapsedMs };
}
