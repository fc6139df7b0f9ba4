import { type BrowserHints, savesMadeFiles } from '../../../site/browser/device/device.ts';

/** A browser's hints about its device and its line. */
export interface DeviceHints extends BrowserHints {
  readonly hardwareConcurrency?: number;
  /** Gigabytes, rounded; not in all browsers. */
  readonly deviceMemory?: number;
  /** Not in all browsers. */
  readonly connection?: { readonly saveData?: boolean; readonly effectiveType?: string };
}

/** Fewer cores are those of phones that take longer than a server's queue. */
const leastCores = 4;
const leastMemoryGb = 3;

/**
 * True for a device that should encode: fast enough as far as can be told beforehand, with memory, on a line that is not to be
 * spared, in a browser that saves files out of memory.
 */
export function suitsEncoding({
  hardwareConcurrency = 0,
  deviceMemory,
  connection,
  ...browser
}: DeviceHints): boolean {
  return (
    hardwareConcurrency >= leastCores &&
    (deviceMemory === undefined || deviceMemory >= leastMemoryGb) &&
    connection?.saveData !== true &&
    !/2g$/.test(connection?.effectiveType ?? '') &&
    savesMadeFiles(browser)
  );
}
