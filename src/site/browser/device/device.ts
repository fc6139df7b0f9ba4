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
