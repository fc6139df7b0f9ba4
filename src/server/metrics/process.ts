import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';

const everyMs = 50;

/** Share of the time from which on more work would make all of it slower. */
const busyFrom = 0.95;

/** Returns the share of time since the last call in which the event loop was busy. */
function utilizationReader(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

/**
 * Watches how much of its time the event loop is at work, for as long as the process lives.
 * @returns a function that says whether the process has as much to do as it can
 */
export function watchLoop(): () => boolean {
  const read = utilizationReader();
  let latest = 0;
  setInterval(() => {
    latest = read();
  }, everyMs).unref();
  return () => latest > busyFrom;
}

/** Resolution of the event loop's delays; a finer one would never let the process idle. */
const delayResolutionMs = 20;

/** Shows how much of its time the event loop is at work and how late it is, each since the last reading. */
function watchEventLoop(registers: Registry[]): void {
  const read = utilizationReader();
  new Gauge({
    name: 'nodejs_eventloop_utilization',
    help: 'Share of the time since the last reading that was not idle.',
    registers,
    collect() {
      this.set(read());
    },
  });
  const delays = monitorEventLoopDelay({ resolution: delayResolutionMs });
  delays.enable();
  const help = 'Delays of the event loop since the last reading.';
  new Gauge({
    name: 'nodejs_eventloop_lag_mean_seconds',
    help,
    registers,
    // Also sets its siblings, which are read after it: reading it starts a new measurement.
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

/** Only Linux has these files (proc(5)); elsewhere the metric is absent. */
function ofProc<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/**
 * Exposes this process's resources under the usual names (those of prom-client's default metrics). Everything is read
 * at each scrape: prom-client's own metrics observe every minor garbage collection, which costs a cached page a fifth
 * more CPU (3.2 times bare `node:http` instead of 2.6, measured in turns).
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
  watchEventLoop(registers);
}
