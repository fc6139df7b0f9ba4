/** Reads exports, and keeps their posts until the page has chosen: they may be hundreds of thousands. */

import type { FromWorker, ToWorker } from './messages.ts';
import { readExport } from './read-export.ts';
import { type Sections, UnreadableExport } from './sections.ts';

declare const self: DedicatedWorkerGlobalScope;

const send = (message: FromWorker) => self.postMessage(message);

let read: Sections | null = null;

async function answer(asked: ToWorker): Promise<void> {
  if (asked.type === 'choose') {
    if (read !== null) send(read.choose(asked));
    return;
  }
  try {
    read = await readExport(asked.given);
    send({ type: 'sections', sections: read.summaries(), others: read.others });
  } catch (thrown) {
    if (!(thrown instanceof UnreadableExport)) throw thrown;
    send({ type: 'failed', reason: thrown.reason });
  }
}

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => void answer(data));
