import lame from 'wasm-media-encoders/wasm/mp3?url';
import type { BrowserOrder } from '../../../site/browser/downloads/browser-maker.ts';
import { messagesOf } from '../../../site/browser/downloads/maker-worker.ts';
import { framesAddress, madeAddress, policyName, workerPath } from '../paths.ts';
import type { EncodeOrder, FromWorker } from '../worker/messages.ts';
import { type DeviceHints, suitsEncoding } from './suits.ts';

/** Seconds of sound that are encoded in a second at least: a minute takes twenty seconds then. */
const leastSpeed = 3;
/** A worker that says nothing for so long has no line, or no processor; in ms. */
const silenceMs = 15_000;

/**
 * Encodes an mp3 in a worker of this browser.
 * @returns null where the server has to: it has the file, this device is not made for it, or anything went wrong
 * @throws the signal's reason
 */
export async function makeMp3({ href, signal, proven, progress }: BrowserOrder): Promise<File | null> {
  if (!('Worker' in globalThis && 'WebAssembly' in globalThis && suitsEncoding(navigator as DeviceHints)))
    return null;
  const order: EncodeOrder = { frames: framesAddress(href), lame, leastSpeed };
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let [name, bytes, made] = ['', 0, 0];
  const script = { path: workerPath, policyName };
  for await (const message of messagesOf<FromWorker>(script, order, silenceMs, signal)) {
    switch (message.type) {
      case 'began':
        ({ name, bytes } = message);
        break;
      case 'proven':
        proven();
        break;
      case 'mp3':
        parts.push(message.bytes);
        made += message.bytes.length;
        progress(Math.min(1, made / bytes));
        break;
      case 'done':
        // A file that is not whole is none.
        if (made !== bytes) return null;
        tellMade(href);
        return new File(parts, name, { type: 'audio/mpeg' });
      case 'failed':
        // The server makes it then: for developers, as nothing is lost.
        console.debug('mp3 on this device', message.note);
        return null;
      default:
        return null;
    }
  }
  return null;
}

/** Has the server count the file: it has only sent what the file is made from, which may have been in vain. */
function tellMade(href: string): void {
  fetch(madeAddress(href), { method: 'POST', keepalive: true }).catch(console.debug);
}
