import lame from 'wasm-media-encoders/wasm/mp3?url';
import type { BrowserOrder } from '../../../site/browser/downloads/browser-maker.ts';
import { framesAddress, madeAddress } from '../paths.ts';
import { runWorker } from './run-worker.ts';
import { type DeviceHints, suitsEncoding } from './suits.ts';

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
