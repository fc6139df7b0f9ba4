import faad from 'codec-faad2?url';
import lame from 'codec-lame?url';
import type { BrowserOrder } from '../../../web/browser/downloads/browser-maker.ts';
import { framesAddress } from '../paths.ts';
import type { EncodeOrder, FromWorker } from '../worker/messages.ts';
import { startWorker } from './start-worker.ts';
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
  const order: EncodeOrder = { frames: framesAddress(href), faad, lame, leastSpeed };
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let [name, bytes, made] = ['', 0, 0];
  for await (const message of messagesOf(order, signal)) {
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
        return made === bytes ? new File(parts, name, { type: 'audio/mpeg' }) : null;
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

/** What a worker says to an order, until it says no more. It is ended however the iteration ends. */
async function* messagesOf(order: EncodeOrder, signal: AbortSignal): AsyncGenerator<FromWorker> {
  signal.throwIfAborted();
  const arrived: FromWorker[] = [];
  let wake = () => {};
  const add = (message: FromWorker) => {
    arrived.push(message);
    wake();
  };
  const worker = startWorker();
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => add(data));
  // Its script could not be had, or broke.
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    add({ type: 'failed', note: event.message });
  });
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  try {
    worker.postMessage(order);
    for (;;) {
      const message = arrived.shift();
      if (message !== undefined) {
        yield message;
        continue;
      }
      let timer: ReturnType<typeof setTimeout> | undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(() => add({ type: 'failed', note: 'says nothing' }), silenceMs);
      });
      clearTimeout(timer);
      signal.throwIfAborted();
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    worker.terminate();
  }
}
