import { expect, test } from 'vitest';
import { type DeviceHints, suitsEncoding } from './make-mp3.ts';

const chrome =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
const phone: DeviceHints = { userAgent: chrome, hardwareConcurrency: 8, deviceMemory: 4 };

test.each<[string, DeviceHints, boolean]>([
  ['a phone of today', phone, true],
  [
    'a browser that says nothing of its memory and its line',
    { userAgent: chrome, hardwareConcurrency: 6 },
    true,
  ],
  ['a device with two cores', { ...phone, hardwareConcurrency: 2 }, false],
  ['a browser that does not say how many cores there are', { userAgent: chrome }, false],
  ['little memory', { ...phone, deviceMemory: 2 }, false],
  ['data saver', { ...phone, connection: { saveData: true } }, false],
  ['a line that is slow', { ...phone, connection: { effectiveType: 'slow-2g' } }, false],
  ['a line that is not', { ...phone, connection: { effectiveType: '4g', saveData: false } }, true],
  ['an iPhone’s home screen', { ...phone, standalone: true }, false],
  ['a view inside a program', { ...phone, userAgent: chrome.replace('; K)', '; K; wv)') }, false],
  ['Instagram', { ...phone, userAgent: `${chrome} Instagram 300.0.0.0` }, false],
  ['TikTok', { ...phone, userAgent: `${chrome} musical_ly_2024 BytedanceWebview/d8a21c6` }, false],
])('%s', (_, hints, suits) => {
  expect(suitsEncoding(hints)).toBe(suits);
});
