import type { BrowserOrder } from '../../../site/browser/downloads/browser-maker.ts';
import { messagesOf } from '../../../site/browser/downloads/maker-worker.ts';
import { policyName, workerPath } from '../paths.ts';
import type { FromWorker, VideoOrder } from '../worker/messages.ts';

/** As the server names such a video. */
const soundlessName = (name: string) => name.replace(/\.mp4$/, '-no-sound.mp4');

/** A worker that says nothing for so long has no line, or no processor; the server waits as long for a picture. In ms. */
const silenceMs = 60_000;

/**
 * Makes one video of a slideshow in a worker of this browser.
 * @param order its address is that of the parts
 * @returns null where anything went wrong
 * @throws the signal's reason
 */
export async function makeSlideshow({ href, signal, progress, lacks }: BrowserOrder): Promise<File | null> {
  const order: VideoOrder = { parts: href };
  const script = { path: workerPath, policyName };
  for await (const message of messagesOf<FromWorker>(script, order, silenceMs, signal)) {
    if (message.type === 'progress') progress(message.fraction);
    if (message.type === 'done') {
      const { bytes, name, isSoundLost, missingPictures } = message;
      lacks({
        ...(isSoundLost && { no_sound: 'lost' }),
        ...(missingPictures > 0 && { missing_photos: missingPictures }),
      });
      return new File([bytes], isSoundLost ? soundlessName(name) : name, { type: 'video/mp4' });
    }
    if (message.type === 'failed') {
      // The server says what is wrong with the post, if that is it: for developers.
      console.debug('slideshow on this device', message.note);
      return null;
    }
  }
  return null;
}
