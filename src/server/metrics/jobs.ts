import { Gauge, type Registry } from 'prom-client';
import type { ConversionJobs } from '../../stores/contracts/conversion-jobs.ts';

/** Exposes the shared queue, read at each scrape; nothing while it is unreachable. */
export function watchJobs(jobs: Pick<ConversionJobs, 'counts'>, registry: Registry): void {
  new Gauge({
    name: 'clipferry_conversion_jobs',
    help: 'Conversions of all instances together: waiting, active, and how many could be active (places).',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset();
      const counts = await jobs.counts();
      for (const [state, count] of Object.entries(counts ?? {})) this.set({ state }, count);
    },
  });
}
