import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';

/** How precisely the event loop's delays are known; asked more often, the process never rests. */
const delayResolutionMs = 20;

/** Linux alone has these files (proc(5)); elsewhere the metric stays away. */
function ofProc<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/**
 * Shows what this process takes of the machine, under the names that dashboards for Node know (those of prom-client's
 * own default metrics). Everything is read when the metrics are: prom-client's are told of every collection of young
 * objects, and a cached page took a fifth more CPU with them (3.2 of bare `node:http` instead of 2.6, in turns).
 */
export function watchProcess(registry: Registry): void {
  const registers = [registry];

  const gauge = (name: string, help: string, read: () => number | null) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = read();
        if (value !== null) this.set(value);
      },
    });

  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });

  const cpu = () => process.cpuUsage();
  counter('process_cpu_user_seconds_total', 'CPU time in user mode.', () => cpu().user / 1e6);
  counter('process_cpu_system_seconds_total', 'CPU time in the kernel.', () => cpu().system / 1e6);
  counter('process_cpu_seconds_total', 'CPU time.', () => (cpu().user + cpu().system) / 1e6);
  const startedS = Math.round(Date.now() / 1000 - process.uptime());
  gauge('process_start_time_seconds', 'When the process began, in seconds since the epoch.', () => startedS);
  gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  gauge('process_open_fds', 'Open file descriptors.', () =>
    ofProc(() => readdirSync('/proc/self/fd').length - 1),
  );
  const maxFds = ofProc(() => /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
  gauge('process_max_fds', 'File descriptors that may be open.', () => (maxFds ? Number(maxFds) : null));

  gauge('nodejs_heap_size_total_bytes', "Memory of V8's heap.", () => process.memoryUsage().heapTotal);
  gauge('nodejs_heap_size_used_bytes', "Used memory of V8's heap.", () => process.memoryUsage().heapUsed);
  gauge(
    'nodejs_external_memory_bytes',
    'Memory outside of the heap that objects in it hold.',
    () => process.memoryUsage().external,
  );
  new Gauge({
    name: 'nodejs_active_resources',
    help: 'What keeps the event loop alive now, by its type.',
    labelNames: ['type'],
    registers,
    collect() {
      this.reset();
      for (const type of process.getActiveResourcesInfo()) this.inc({ type });
    },
  });
  new Gauge({
    name: 'nodejs_version_info',
    help: 'The version of Node.',
    labelNames: ['version'],
    registers,
  }).set({ version: process.version }, 1);

  let busy = performance.eventLoopUtilization();
  gauge('nodejs_eventloop_utilization', 'Share of the time since the last reading that was not idle.', () => {
    const before = busy;
    busy = performance.eventLoopUtilization();
    return performance.eventLoopUtilization(busy, before).utilization;
  });
  watchDelays(registers);
}

function watchDelays(registers: Registry[]): void {
  const delays = monitorEventLoopDelay({ resolution: delayResolutionMs });
  delays.enable();
  const help = 'Delays of the event loop since the last reading.';
  new Gauge({
    name: 'nodejs_eventloop_lag_mean_seconds',
    help,
    registers,
    // Sets its siblings too, which are read after it: what it reads begins anew.
    collect() {
      if (delays.count === 0) return;
      this.set(delays.mean / 1e9);
      p50.set(delays.percentile(50) / 1e9);
      p90.set(delays.percentile(90) / 1e9);
      p99.set(delays.percentile(99) / 1e9);
      max.set(delays.max / 1e9);
      delays.reset();
    },
  });
  const sibling = (name: string) =>
    new Gauge({ name: `nodejs_eventloop_lag_${name}_seconds`, help, registers });
  const p50 = sibling('p50');
  const p90 = sibling('p90');
  const p99 = sibling('p99');
  const max = sibling('max');
}
