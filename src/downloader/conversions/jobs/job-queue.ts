import { type ConversionJobs, JobsUnavailable } from '../../../stores/contracts/conversion-jobs.ts';
import { type Conversion, setMade, setState, setWaits } from '../conversion.ts';
import { type ConversionQueue, drain, type QueueEvents } from '../conversion-queue.ts';
import { type FileTarget, failConversion, fillConversion } from '../fill-conversion.ts';
import { asOwnFailure, writeJob } from './job-text.ts';

interface JobQueueOptions extends Pick<QueueEvents, 'ended'> {
  readonly jobs: Pick<ConversionJobs, 'order'>;
  /** Runs conversions that no other instance runs. */
  readonly local: ConversionQueue;
  /** Holds files that other workers make: they send them to the shared store. */
  readonly target: FileTarget;
}

/**
 * Runs conversions as jobs on any free worker; falls back to the local queue when no worker is available or reachable.
 */
export function createJobQueue({ jobs, local, target, ended }: JobQueueOptions): ConversionQueue {
  const ordered = new Map<Conversion, Promise<void>>();
  const handedOver = new WeakSet<Conversion>();

  async function order(conversion: Conversion, visitor: string): Promise<boolean> {
    const { key, work, abort } = conversion;
    setState(conversion, 'reading');
    const made = await jobs.order({ key, work: writeJob(work), visitor }, abort.signal, (ahead, fraction) => {
      setWaits(conversion, ahead);
      if (ahead === null) setMade(conversion, fraction);
    });
    return fillConversion(conversion, made, target);
  }

  /** Goes on here with the same conversion, also in the middle of its file. @throws Failure `queue_full` */
  function handOver(conversion: Conversion): void {
    handedOver.add(conversion);
    conversion.aheadElsewhere = null;
    conversion.made = 0;
    setState(conversion, 'waiting');
    const visitors = conversion.readers.visitors();
    const refusals = [...visitors].flatMap((visitor) => refusalOf(conversion, visitor));
    // A visitor may have too many waiting conversions while another visitor of the same file has room.
    if (refusals.length > 0 && refusals.length === visitors.size) throw refusals[0];
  }

  /** Adds a visitor to a conversion that has not started yet. @returns the queue's reason to refuse it, or nothing */
  function refusalOf(conversion: Conversion, visitor: string): unknown[] {
    if (conversion.state !== 'waiting') return [];
    try {
      local.add(conversion, visitor);
      return [];
    } catch (refusal) {
      return [refusal];
    }
  }

  async function orderOrHandOver(conversion: Conversion, visitor: string): Promise<void> {
    try {
      await order(conversion, visitor);
      return;
    } catch (error) {
      if (!(error instanceof JobsUnavailable) || conversion.abort.signal.aborted) throw asOwnFailure(error);
    }
    handOver(conversion);
  }

  async function run(conversion: Conversion, visitor: string): Promise<void> {
    try {
      await orderOrHandOver(conversion, visitor);
      if (!handedOver.has(conversion)) ended(conversion, null);
    } catch (error) {
      ended(conversion, await failConversion(conversion, error, target.onError));
    }
  }

  return {
    add(conversion, visitor) {
      if (handedOver.has(conversion)) return local.add(conversion, visitor);
      if (ordered.has(conversion)) return;
      ordered.set(
        conversion,
        run(conversion, visitor).finally(() => ordered.delete(conversion)),
      );
    },
    leave: (conversion, visitor) => local.leave(conversion, visitor),
    ahead: (conversion) => local.ahead(conversion),
    async drain(stop, grace) {
      await drain(ordered, stop, grace);
      await local.drain(stop, grace);
    },
  };
}
