import { DAMAGES, type DamageName } from '../clips/damage.ts';
import {
  breakingOff,
  gear,
  mediaFault,
  moving,
  photos,
  photosWith,
  plainVideo,
  post,
  video,
} from './build.ts';
import type { PostScenario } from './scenario.ts';

/** Posts whose files are served with faults. */
export const mediaFaults: readonly PostScenario[] = [
  mediaFault(
    'first-host-refuses',
    'v16 says 403, v19 works',
    { kind: 'forbidden', bodyBytes: 506 },
    { host: 'v16' },
  ),
  mediaFault('all-hosts-refuse', '403 everywhere', { kind: 'forbidden', bodyBytes: 423 }),
  mediaFault('refusal-says-mp4', '403 everywhere, labelled video/mp4', { kind: 'forbidden', bodyBytes: 522 }),
  mediaFault('stale-addresses', 'The first addresses have expired; those of a second read work', {
    kind: 'stale-first-read',
  }),
  mediaFault('media-throttled', '429 everywhere', { kind: 'status', status: 429 }),
  mediaFault('media-gone', '404 everywhere', { kind: 'status', status: 404 }),
  mediaFault('media-server-error', '500 everywhere', { kind: 'status', status: 500 }),
  mediaFault('media-server-error-once', '503 once, then fine', { kind: 'status', status: 503 }, { times: 1 }),
  mediaFault('html-as-mp4', 'An HTML page with 200, labelled video/mp4', { kind: 'html' }),
  mediaFault(
    'html-as-mp4-first-host',
    'An HTML page from v16, the file from v19',
    { kind: 'html' },
    { host: 'v16' },
  ),
  mediaFault('playlist-as-mp4', 'An m3u8 named mp4', { kind: 'playlist' }),
  mediaFault('empty-as-mp4', '200 and nothing', { kind: 'empty' }),
  mediaFault('no-ranges', 'Ranges are ignored: always 200 and the whole file', { kind: 'no-ranges' }),
  mediaFault(
    'early-close-once',
    'The first answer ends in the middle; a range goes on',
    { kind: 'transfer', fault: { kind: 'close', afterBytes: 400_000 } },
    { times: 1 },
  ),
  mediaFault(
    'early-close-thrice',
    'Three answers end in the middle; a range goes on',
    { kind: 'transfer', fault: { kind: 'close', afterBytes: 300_000 } },
    { times: 3 },
  ),
  mediaFault('early-close-always', 'Nothing after the middle is ever sent', {
    kind: 'never-past',
    offset: 700_000,
  }),
  breakingOff('breaks-once', 'its rest is refused ten times, as often as the product asks for it at once', {
    ranges: 'rest',
    times: 10,
    fault: { kind: 'status', status: 503 },
  }),
  breakingOff('breaks-then-refuses', 'its rest is refused', {
    ranges: 'rest',
    fault: { kind: 'status', status: 503 },
  }),
  breakingOff('breaks-then-416', 'its rest is said to lie beyond its end', {
    ranges: 'rest',
    fault: { kind: 'status', status: 416 },
  }),
  breakingOff(
    'breaks-then-changes',
    'then it is another, longer one',
    { ranges: 'whole', fault: { kind: 'other-file', longerBy: 50_000 } },
    { ranges: 'rest', fault: { kind: 'other-file', longerBy: 50_000 } },
  ),
  mediaFault(
    'reset-once',
    'The first answer is reset in the middle; a range goes on',
    { kind: 'transfer', fault: { kind: 'reset', afterBytes: 400_000 } },
    { times: 1 },
  ),
  mediaFault('reset-at-once', 'Every answer is reset before its first byte', {
    kind: 'transfer',
    fault: { kind: 'reset', afterBytes: 0 },
  }),
  mediaFault('length-too-long', 'Content-Length says 100 kB more than there is', {
    kind: 'length-off',
    by: 100_000,
  }),
  mediaFault('length-too-short', 'Content-Length says 100 kB less than there is', {
    kind: 'length-off',
    by: -100_000,
  }),
  mediaFault('media-header-stall', 'The media servers never answer', {
    kind: 'transfer',
    fault: { kind: 'stall-headers' },
  }),
  mediaFault(
    'media-header-stall-first-host',
    'v16 never answers, v19 works',
    { kind: 'transfer', fault: { kind: 'stall-headers' } },
    { host: 'v16' },
  ),
  mediaFault('media-body-stall', 'Every answer stops in the middle', {
    kind: 'transfer',
    fault: { kind: 'stall-body', afterBytes: 200_000 },
  }),
  mediaFault(
    'media-body-stall-once',
    'The first answer stops in the middle; a range goes on',
    { kind: 'transfer', fault: { kind: 'stall-body', afterBytes: 400_000 } },
    { times: 1 },
  ),
  mediaFault('media-drip', '1 byte a second', {
    kind: 'transfer',
    fault: { kind: 'drip', bytesPerSecond: 1 },
  }),
  mediaFault('slow-20-kbyte', '20 kB a second', {
    kind: 'transfer',
    fault: { kind: 'drip', bytesPerSecond: 20_000 },
  }),
  mediaFault(
    'parts-counted',
    'From the 40th request for a part on: 429; the file from anywhere to its end is given',
    { kind: 'status', status: 429 },
    { ranges: 'part', after: 39 },
    video(60, { gears: [gear('normal_720_0', 60, { bytes: 12_400_000 })] }),
  ),
  mediaFault(
    'ranges-counted',
    'From the 40th request with a range on: 403; only the whole file is given',
    { kind: 'forbidden', bodyBytes: 506 },
    { ranges: 'any', after: 39 },
    video(60, { gears: [gear('normal_720_0', 60, { bytes: 12_400_000 })] }),
  ),
  mediaFault('media-redirect', 'v16 redirects to v19', { kind: 'redirect', to: 'mirror' }, { host: 'v16' }),
  mediaFault('media-redirect-loop', 'Redirects to itself', { kind: 'redirect', to: 'itself' }),
  mediaFault('media-redirect-foreign', 'Redirects to another site', { kind: 'redirect', to: 'foreign' }),
  mediaFault('media-redirect-private', 'Redirects to a private address', { kind: 'redirect', to: 'private' }),
  post('media faults', 'media-bad-tls', "The media server's certificate is not trusted", {
    media: plainVideo(5, {}, { hosts: ['v77-webapp-prime.tiktok.com', 'v77-webapp-prime.tiktok.com'] }),
  }),
  post('media faults', 'media-refused', 'Nobody listens at the media server', {
    media: plainVideo(5, {}, { hosts: ['v78-webapp-prime.tiktok.com', 'v78-webapp-prime.tiktok.com'] }),
  }),
  post(
    'media faults',
    'media-refused-first-host',
    'Nobody listens at the first media server, the second works',
    {
      media: plainVideo(5, {}, { hosts: ['v78-webapp-prime.tiktok.com', 'v19-webapp-prime.tiktok.com'] }),
    },
  ),
  post('media faults', 'media-connect-hangs', 'The connection to the media server never comes about', {
    media: plainVideo(5, {}, { hosts: ['v76-webapp-prime.tiktok.com', 'v76-webapp-prime.tiktok.com'] }),
  }),
  post('media faults', 'media-foreign-host', 'The page names a media server of another site', {
    media: plainVideo(5, {}, { hosts: ['media.example.com', 'media.example.com'] }),
  }),
  post('media faults', 'media-private-host', 'The page names media servers at private addresses', {
    media: plainVideo(5, {}, { hosts: ['127.0.0.1', '[::ffff:10.0.0.1]'] }),
  }),
  post(
    'media faults',
    'sound-refused',
    'A slideshow whose music answers 403',
    { media: photos(2) },
    { media: [{ on: 'sound', fault: { kind: 'forbidden', bodyBytes: 506 } }] },
  ),
  post(
    'media faults',
    'sound-is-html',
    'A slideshow whose music is an HTML page',
    { media: photos(2) },
    { media: [{ on: 'sound', fault: { kind: 'html' } }] },
  ),
  post(
    'media faults',
    'pictures-refused',
    'A slideshow whose pictures answer 403',
    { media: photos(3) },
    { media: [{ on: 'image', fault: { kind: 'status', status: 403 } }] },
  ),
  post(
    'media faults',
    'picture-refused',
    'Five pictures, the third of which answers 403',
    { media: photos(5) },
    { media: [{ on: 'image', file: 'picture-3', fault: { kind: 'status', status: 403 } }] },
  ),
  post(
    'media faults',
    'pictures-of-all-faults',
    'Of seven slides the first is HTML, the fourth empty, the last gone with its video; the second breaks off at first',
    { media: photosWith(7, { 1: { motion: moving(3) }, 6: { motion: moving(2) } }) },
    {
      media: [
        { on: 'image', file: 'picture-1', fault: { kind: 'html' } },
        {
          on: 'image',
          file: 'picture-2',
          times: 1,
          fault: { kind: 'transfer', fault: { kind: 'close', afterBytes: 5_000 } },
        },
        { on: 'image', file: 'picture-4', fault: { kind: 'empty' } },
        { on: 'image', file: 'picture-7', fault: { kind: 'status', status: 404 } },
        { on: 'video', file: 'motion-7', fault: { kind: 'status', status: 404 } },
      ],
    },
  ),

  ...(Object.keys(DAMAGES) as DamageName[]).map((damage) =>
    post('damaged files', `damaged-${damage}`, `The file is damaged: ${damage.replaceAll('-', ' ')}`, {
      media: video(4, { gears: [gear('normal_540_0', 4, {}, { damage })] }),
    }),
  ),
];
