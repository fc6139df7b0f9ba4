import { expect, test } from 'vitest';
import type { Download } from '../../../site/browser/downloads/downloads.ts';
import { createDownloadWatch, type SavedFile } from './downloads.ts';

function watch() {
  const reported: SavedFile[] = [];
  const clock = { ms: 0 };
  const look = createDownloadWatch(
    () => clock.ms,
    (file) => reported.push(file),
  );
  return {
    reported,
    at(ms: number, format: string, changes: Partial<Download>) {
      clock.ms = ms;
      const option = {
        id: format,
        format,
        href: '/api/files/x',
        ...(format === 'mp3' && { status_href: '/x' }),
      };
      const file = { post: { id: '1' }, option } as unknown as Download['file'];
      const download = { file, phase: 'preparing', conversion: null, failureKey: null, ...changes };
      look([download as Download]);
    },
    none: () => look([]),
  };
}

const conversion = (state: string) => ({ state }) as NonNullable<Download['conversion']>;

const started = (arrival: Download['arrival'] = null) => ({ phase: 'started', arrival }) as const;

test('a video counts as saved when all of it was sent, and is reported once', () => {
  const { at, reported } = watch();
  at(0, 'mp4', {});
  at(120, 'mp4', started());
  at(9000, 'mp4', started('late'));
  expect(reported).toEqual([]);
  at(9500, 'mp4', started('saved'));
  at(9600, 'mp4', started('saved'));
  expect(reported).toEqual([{ format: 'mp4', option: 'mp4', outcome: 'success', first_byte_ms: 120 }]);
  at(10_000, 'mp4', {});
  at(10_100, 'mp4', started());
  at(10_200, 'mp4', started('broken'));
  expect(reported[1]).toMatchObject({ outcome: 'broken', first_byte_ms: 100 });
});

test('a file of another server counts as saved when the browser has it: nothing more is known of it', () => {
  const reported: string[] = [];
  const look = createDownloadWatch(
    () => 0,
    ({ outcome }) => reported.push(outcome),
  );
  const option = { id: 'mp4', format: 'mp4', href: 'https://other.example/api/files/x' };
  const file = { post: { id: '1' }, option } as unknown as Download['file'];
  look([{ file, conversion: null, message: null, failureKey: null, retryAt: null, ...started() }]);
  expect(reported).toEqual(['success']);
});

test('a sound counts as saved when all of it was sent, with the time of that', () => {
  const { at, reported } = watch();
  at(0, 'mp3', {});
  at(300, 'mp3', { phase: 'started', conversion: conversion('running') });
  expect(reported).toEqual([]);
  at(2300, 'mp3', { phase: 'started', conversion: conversion('done') });
  expect(reported).toEqual([]);
  at(3300, 'mp3', { ...started('saved'), conversion: conversion('done') });
  expect(reported).toEqual([
    { format: 'mp3', option: 'mp3', outcome: 'success', first_byte_ms: 300, end_ms: 3300 },
  ]);
});

test.each([
  [{ phase: 'failed', failureKey: 'post_gone' }, 'post_gone'],
  [{ phase: 'failed' }, 'network'],
  [{ phase: 'cancelled' }, 'cancelled'],
] as const)('reports %j as %s', (end, outcome) => {
  const { at, reported, none } = watch();
  at(0, 'mp4', {});
  at(50, 'mp4', end);
  expect(reported).toEqual([{ format: 'mp4', option: 'mp4', outcome, first_byte_ms: undefined }]);
  none();
});
