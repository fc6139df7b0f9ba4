import { type Cue, cleanCues, readBlocks } from '../../../downloader/captions/cues.ts';
import { keepAwake } from '../../../site/browser/device/keep-awake.ts';
import type { BrowserOrder, Refused } from '../../../site/browser/downloads/browser-maker.ts';
import { whenReady } from '../../../site/browser/downloads/file-requests.ts';
import { madeVideosItem } from '../../../site/visitors/stored/stored-item.ts';
import { keepFolder } from '../video/scratch-folder.ts';
import { plannedName, planOf, type Reason, type VideoPlan } from '../video/video-plan.ts';
import { runWorker } from './run-worker.ts';

/** A slow phone takes so long for what the worker counts as one step; in ms. */
const silenceMs = 90_000;
/** A worker that is ended gives back its files a moment later; in ms. */
const releasedMs = 2000;

/**
 * Makes another video of a post's in a worker of this browser.
 * @returns the file, or why there is none
 * @throws the signal's reason
 */
export async function makeVideo(order: BrowserOrder): Promise<File | Refused> {
  const { file, locale, signal } = order;
  const plan = planOf(file);
  if (plan === null) throw new TypeError('a file without a plan');
  const { source, part, durationS, encoding, maxBytes } = plan;
  const ready = await whenReady({ post: file.post, option: source }, locale, signal, () => {});
  if (!('href' in ready)) return ready;
  const refused = (reason: Reason | null): Refused => ({
    key: `device_${reason ?? 'failed'}`,
    message: plan.explain(reason),
  });
  const folder = await keepFolder();
  const release = keepAwake();
  let made: File | null = null;
  try {
    const captions = plan.captions && {
      cues: await cuesOf(plan, signal),
      language: plan.captions.track.language,
      isBurned: plan.captions.isBurned,
    };
    const query = part === null ? '' : `&from=${part.fromMs / 1000}&to=${part.toMs / 1000}`;
    const { title, author, url: comment } = file.post;
    const work = {
      tags: { title: title || author.name, artist: author.name || author.handle, comment },
      ...{ durationS, encoding, maxBytes, captions, folder: folder.name, isPart: part !== null },
      source: ready.href + query,
    };
    const end = await runWorker('video', { ...work, name: plannedName(ready.name, plan) }, silenceMs, order);
    if (end instanceof File) {
      made = end;
      return made;
    }
    return refused(end);
  } catch (thrown) {
    signal.throwIfAborted();
    // The captions could not be had, or the worker's script: for developers.
    console.debug(thrown);
    return refused(null);
  } finally {
    release();
    setTimeout(folder.remove, made === null ? releasedMs : madeVideosItem.lifeS * 1000);
  }
}

/** The captions of the part. @throws TypeError, Error when it cannot be had */
async function cuesOf({ captions, part, durationS }: VideoPlan, signal: AbortSignal): Promise<Cue[]> {
  if (captions === null) return [];
  const response = await fetch(`${captions.track.href}?as=vtt`, { signal });
  if (!response.ok) throw new Error(`captions: ${response.status}`);
  const fromMs = part?.fromMs ?? 0;
  return cleanCues(readBlocks(await response.text())).flatMap(({ startMs, endMs, text }) => {
    const cue = {
      startMs: Math.max(0, startMs - fromMs),
      endMs: Math.min(endMs - fromMs, durationS * 1000),
      text,
    };
    return cue.endMs > cue.startMs ? [cue] : [];
  });
}
