import { useMounted } from '../mounted.ts';

/** Kinds of devices that keep downloads in different places. */
export type Device = 'ios' | 'android' | 'computer';

function presentDevice(): Device {
  const { userAgent, maxTouchPoints } = navigator;
  // An iPad says that it is a Mac; Macs have no touch screens.
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) return 'ios';
  return /Android/.test(userAgent) ? 'android' : 'computer';
}

/** The visitor's device; a computer until the page's scripts run. */
export function useDevice(): Device {
  return useMounted() ? presentDevice() : 'computer';
}

/** A browser's description of itself. */
export interface BrowserHints {
  readonly userAgent: string;
  /** Whether it runs from an iPhone's home screen. */
  readonly standalone?: boolean;
}

/** Browsers inside other apps cannot save files that a page has made. */
const insidePrograms =
  /; wv\)|FBAN|FBAV|Instagram|musical_ly|Bytedance|BytedanceWebview|TikTok|\bLine\/|MicroMessenger|Snapchat|Pinterest/;

/** Whether a browser saves files that a page has made, out of memory. */
export const savesMadeFiles = ({ userAgent, standalone }: BrowserHints): boolean =>
  standalone !== true && !insidePrograms.test(userAgent);
