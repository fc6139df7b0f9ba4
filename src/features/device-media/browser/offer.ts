import { useEffect, useSyncExternalStore } from 'react';
import { maxSoundS } from '../../../downloader/slideshow/plan.ts';
import type { DownloadOption, ResolveResult } from '../../../site/api.ts';
import { savesMadeFiles } from '../../../site/browser/device/device.ts';
import type { DownloadButton } from '../../../site/configuration/configuration.ts';
import { chooseOptions } from '../../../site/pages/tool/files/choose-options.ts';
import { partsAddress } from '../paths.ts';
import { h264For } from '../video/video-plan.ts';
import { allowed, listeners, tellAll } from './allowed.ts';

/** A file's demands on the browser. */
export interface Needs {
  readonly kind: 'slideshow' | 'video';
  /** Pixels of the file. */
  readonly width: number;
  readonly height: number;
  /** The codec that is decoded, as in the API; null for none. */
  readonly decodes: string | null;
  /** A sound has to be encoded. */
  readonly encodesSound: boolean;
}

/** Codecs for the question (RFC 6381), at the level of 1080 by 1920 pixels. */
const decoded: Readonly<Record<string, string>> = {
  h264: 'avc1.640028',
  h265: 'hvc1.1.6.L120.B0',
  av1: 'av01.0.08M.08',
};
const aacLc = { codec: 'mp4a.40.2', numberOfChannels: 2, sampleRate: 44_100, bitrate: 128_000 };

async function ask({ width, height, decodes, encodesSound }: Needs): Promise<boolean> {
  const hasAll =
    'VideoEncoder' in globalThis && 'OffscreenCanvas' in globalThis && 'createImageBitmap' in globalThis;
  if (!hasAll || !savesMadeFiles(navigator)) return false;
  const picture = { width, height, codec: h264For(width, height), bitrate: 2_500_000 };
  if ((await VideoEncoder.isConfigSupported(picture)).supported !== true) return false;
  if (decodes !== null) {
    const codec = decoded[decodes];
    if (codec === undefined || !('VideoDecoder' in globalThis)) return false;
    const config = { codec, codedWidth: width, codedHeight: height };
    if ((await VideoDecoder.isConfigSupported(config)).supported !== true) return false;
  }
  if (!encodesSound) return true;
  return 'AudioEncoder' in globalThis && (await AudioEncoder.isConfigSupported(aacLc)).supported === true;
}

/** Nearly all videos are no larger: one answer does for all of them. */
const usual = { width: 1080, height: 1920 };

/** The question about a file; the same one for all files that are not larger than usual. */
function questionOf(needs: Needs): string {
  const [short, long] = [Math.min(needs.width, needs.height), Math.max(needs.width, needs.height)];
  return JSON.stringify({ ...needs, ...(short <= usual.width && long <= usual.height && usual) });
}

/** Answers by question; undefined while one is awaited. */
const answers = new Map<string, boolean | undefined>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function learn(question: string): void {
  if (answers.has(question)) return;
  answers.set(question, undefined);
  ask(JSON.parse(question) as Needs).then(
    (answer) => {
      answers.set(question, answer);
      tellAll();
    },
    (thrown: unknown) => {
      // A browser that throws at the question encodes nothing: for developers.
      console.debug(thrown);
      answers.set(question, false);
      tellAll();
    },
  );
}

/** Asks about usual videos before there is a result, which then does not grow by what turns out to be possible. */
export function learnUsual(): void {
  for (const decodes of ['h264', 'h265'])
    learn(questionOf({ kind: 'video', ...usual, decodes, encodesSound: false }));
}

/**
 * True where this browser can, and may, make a file, and its maker is there; undefined until it is known.
 * @param needs null for no question
 */
export function useSupport(needs: Needs | null): boolean | undefined {
  const question = needs && questionOf(needs);
  const isAllowed = useSyncExternalStore(
    subscribe,
    () => needs && allowed.present?.[needs.kind],
    () => undefined,
  );
  useEffect(() => {
    if (question !== null && isAllowed === true) learn(question);
  }, [question, isAllowed]);
  const answer = useSyncExternalStore(
    subscribe,
    () => (question === null ? false : answers.get(question)),
    () => undefined,
  );
  if (needs === null || isAllowed === false) return false;
  // Before the settings are there, a press would get the file of the server.
  return isAllowed === undefined ? undefined : answer;
}

/**
 * The video that a browser can make of a post: of a slideshow of this site's server that offers no video itself, with a
 * sound that has one or none at all.
 * @returns the zip, whose ticket names the same pictures, and whether the sound has to be encoded: it is no AAC, as far as
 * is known
 */
export function offeredVideo(
  { post, options, no_sound }: Pick<ResolveResult, 'post' | 'options' | 'no_sound'>,
  buttons: readonly DownloadButton[],
) {
  const { zip, slides, slideshow } = chooseOptions(options, buttons);
  const hasPictures = slides.some(({ picture }) => picture !== null);
  if (zip === null || !zip.href.startsWith('/') || !hasPictures || slideshow !== null) return null;
  if (no_sound === 'unsupported' || post.duration_s > maxSoundS) return null;
  const has = (id: string) => options.some((option) => option.id === id);
  return { zip, encodesSound: has('mp3') && !has('m4a') };
}

/** The video as a file of the post, as the server would offer it. @param zip with the address that is good at present */
export const videoOption = (zip: DownloadOption): DownloadOption => ({
  id: 'mp4-slideshow',
  format: 'mp4',
  label: 'MP4 H.264',
  codec: 'h264',
  width: null,
  height: null,
  bytes: null,
  href: partsAddress(zip.href),
});
