/** Downloads on command, as fast as possible or at a given pace. */
import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface ClientTask {
  readonly port: number;
  readonly path: string;
  readonly downloads: number;
  readonly atOnce: number;
  /** Null: as fast as possible. */
  readonly bytesPerSecond: number | null;
  /** When the client breaks downloads off; null: never. */
  readonly stopAfterMs: number | null;
}

export interface ClientReport {
  readonly bytes: number;
  readonly started: number;
  readonly failures: number;
}

async function run(task: ClientTask): Promise<ClientReport> {
  const report = { bytes: 0, started: 0, failures: 0 };
  const agent = new Agent({ keepAlive: task.bytesPerSecond === null });
  const until = task.stopAfterMs === null ? Number.POSITIVE_INFINITY : Date.now() + task.stopAfterMs;
  const one = () =>
    new Promise<void>((resolve) => {
      const failed = () => {
        report.failures += 1;
        resolve();
      };
      const request = get(
        { host: '127.0.0.1', port: task.port, path: task.path, agent },
        async (response) => {
          report.started += 1;
          response.on('error', failed);
          const { bytesPerSecond } = task;
          if (bytesPerSecond === null) {
            response.on('data', (chunk: Buffer) => {
              report.bytes += chunk.length;
            });
            response.on('end', resolve);
            return;
          }
          response.on('readable', () => {});
          while (Date.now() < until) {
            await delay(500);
            const chunk = response.read(
              Math.min(bytesPerSecond / 2, response.readableLength),
            ) as Buffer | null;
            report.bytes += chunk?.length ?? 0;
          }
          response.off('error', failed).on('error', () => {});
          request.destroy();
          resolve();
        },
      );
      request.on('error', (error) => {
        if (Date.now() < until) failed();
        else resolve();
        void error;
      });
    });
  let left = task.downloads;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await one();
    }
  };
  await Promise.all(Array.from({ length: task.atOnce }, worker));
  agent.destroy();
  return report;
}

process.on('message', async (task: ClientTask) => {
  process.send?.(await run(task));
});
