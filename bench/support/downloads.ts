import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { ClientReport, ClientTask } from './pass-through-client.ts';
import { cpuMs } from './process-cost.ts';

/** Options of {@link Downloader.mbPerCpuSecond}. */
const downloadsOfRound = 16;

/** Downloads from a separate process, which is not measured. */
export interface Downloader {
  download(task: ClientTask): Promise<ClientReport>;
  /** MB that a process passed on for each second of CPU. @throws when a download fails */
  mbPerCpuSecond(pid: number, port: number, path: string): Promise<number>;
  stop(): void;
}

/** Starts the process that downloads. */
export function startDownloader(): Downloader {
  const client = fork(new URL('./pass-through-client.ts', import.meta.url), { execArgv: [] });

  async function download(task: ClientTask): Promise<ClientReport> {
    client.send(task);
    const [report] = (await once(client, 'message')) as [ClientReport];
    return report;
  }

  return {
    download,
    async mbPerCpuSecond(pid, port, path) {
      const before = cpuMs(pid);
      const { bytes, failures } = await download({
        port,
        path,
        downloads: downloadsOfRound,
        atOnce: 2,
        bytesPerSecond: null,
        stopAfterMs: null,
      });
      if (failures > 0 || bytes === 0) throw new Error(`${failures} downloads failed`);
      return bytes / 1000 / (cpuMs(pid) - before);
    },
    stop: () => void client.kill(),
  };
}
