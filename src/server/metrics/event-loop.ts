import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** Says whether the process has as much to do as it can. */
export type IsBusy = () => boolean;

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

/** Watches how much of its time the event loop is at work, for as long as the process lives. */
export function watchLoop(): IsBusy {
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
export function watchEventLoop(registers: Registry[]): void {
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
