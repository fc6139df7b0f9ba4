import lame from 'wasm-media-encoders/wasm/mp3?url';
import { type BrowserHints, savesMadeFiles } from '../../../site/browser/device/device.ts';
import type { BrowserOrder } from '../../../site/browser/downloads/browser-maker.ts';
import { framesAddress, madeAddress } from '../paths.ts';
import { runWorker } from './run-worker.ts';

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

/** Seconds of sound that are encoded in a second at least: a minute takes twenty seconds then. */
const leastSpeed = 3;
const silenceMs = 15_000;

/**
 * Encodes an mp3 in a worker of this browser.
 * @returns null where the server has to: it has the file, this device is not made for it, or anything went wrong
 * @throws the signal's reason
 */
export async function makeMp3(order: BrowserOrder): Promise<File | null> {
  if (!('Worker' in globalThis && 'WebAssembly' in globalThis && suitsEncoding(navigator as DeviceHints)))
    return null;
  const { href } = order;
  const file = await runWorker('mp3', { frames: framesAddress(href), lame, leastSpeed }, silenceMs, order);
  // Counted now: the server has only sent what the file is made from, which may have been in vain.
  if (!(file instanceof File)) return null;
  fetch(madeAddress(href), { method: 'POST', keepalive: true }).catch(console.debug);
  return file;
}
