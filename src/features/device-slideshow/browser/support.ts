import { useEffect, useSyncExternalStore } from 'react';
import { savesMadeFiles } from '../../../site/browser/device/saves-files.ts';

/** What this browser can encode of a video; null where it makes none. */
export type Support = { readonly encodesSound: boolean } | null;

/** H.264 High at level 4.0, which has 1080 by 1920 pixels; the library asks for the same. */
const picture = { codec: 'avc1.640028', width: 1080, height: 1920, bitrate: 2_500_000 };
/** AAC LC. */
const sound = { codec: 'mp4a.40.2', numberOfChannels: 2, sampleRate: 44_100, bitrate: 128_000 };

/** Undefined until it is known. */
let known: Support | undefined;
/** Whether the site lets browsers make videos; null until its settings are there. */
let isAllowed: boolean | null = null;
let isAsked = false;
let isWanted = false;
const listeners = new Set<() => void>();

function settle(support: Support): void {
  known = support;
  for (const listener of listeners) listener();
}

async function look(): Promise<Support> {
  const hasAll =
    'VideoEncoder' in globalThis && 'OffscreenCanvas' in globalThis && 'createImageBitmap' in globalThis;
  if (!hasAll || !savesMadeFiles(navigator)) return null;
  const video = await VideoEncoder.isConfigSupported(picture);
  if (video.supported !== true) return null;
  // Its decoder is not asked: where there is an encoder, there is one.
  const isHeard = 'AudioEncoder' in globalThis && (await AudioEncoder.isConfigSupported(sound)).supported;
  return { encodesSound: isHeard === true };
}

function askOnce(): void {
  if (isAsked || !isWanted || isAllowed !== true) return;
  isAsked = true;
  look().then(settle, (thrown: unknown) => {
    // A browser that throws at the question encodes nothing: for developers.
    console.debug(thrown);
    settle(null);
  });
}

/** Says whether the site lets browsers make videos. */
export function allow(given: boolean): void {
  isAllowed = given;
  if (!given) settle(null);
  askOnce();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What this browser can encode, once that is known. @param isNeeded it is asked for the first post that needs it */
export function useSupport(isNeeded: boolean): Support | undefined {
  useEffect(() => {
    isWanted ||= isNeeded;
    askOnce();
  }, [isNeeded]);
  return useSyncExternalStore(
    subscribe,
    () => known,
    () => undefined,
  );
}
