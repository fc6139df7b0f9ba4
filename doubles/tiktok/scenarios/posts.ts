import { DAMAGES, type DamageName } from '../clips/damage.ts';
import { gear, mediaFault, pageFault, photos, plainVideo, post, refusal, trouble, video } from './build.ts';
import { isNumberedId } from './ids.ts';
import type { PostScenario } from './scenario.ts';

const LONG_TEXT = `${'A long story about a ferry, told in one breath. #ferry\n'.repeat(80).slice(0, 3_989)} The end 🏁`;

/** Every post of the double. Ids follow from names, so a name is for ever. */
export const POSTS: readonly PostScenario[] = [
  post('posts', 'ordinary', '720 and 576 as H.264, 1080 as H.265, 7 seconds', {
    text: 'Morning crossing, calm sea #ferry #sea @The Ferry Captain',
  }),
  post('posts', 'numbered', 'The post behind all numbered ids: 720 and 1080, 7 seconds'),
  post('posts', 'only-576', 'One encoding: H.264, 576 wide', { media: plainVideo(9) }),
  post('posts', 'only-480', 'One encoding: H.264, 480 wide', {
    media: video(6, { gears: [gear('normal_480_0', 6)] }),
  }),
  post('posts', 'landscape', 'Wider than high: 1280 by 720', {
    media: video(8, { gears: [gear('normal_720_0', 8, { video: 'h264-landscape' })] }),
  }),
  post('posts', 'no-h265', '720 and 576 as H.264, nothing above', {
    media: video(8, { gears: [gear('normal_720_0', 8), gear('lower_540_0', 8)] }),
  }),
  post('posts', 'h266-too', 'An H.266 encoding that nothing plays stands first in the list', {
    media: video(6, {
      gears: [gear('normal_720_0', 6), gear('bytevc2_1080_0', 6, { bytes: 4_000_000 })],
    }),
  }),
  post('posts', 'silent', 'A video without a sound track', {
    media: plainVideo(6, { sound: null }),
    music: { file: 'none' },
  }),
  post('posts', 'silent-hvc1-trap', 'The H.265 file is the silent kind (/media-video-hvc1/)', {
    media: video(7, {
      gears: [gear('normal_720_0', 7), gear('adapt_lowest_1080_1', 7, { sound: null }, { silentTrap: true })],
    }),
  }),
  post(
    'posts',
    'silent-hd',
    'The 1080 file has no sound and its address does not say so; a smaller H.265 has',
    {
      media: video(7, {
        gears: [
          gear('normal_540_0', 7),
          gear('adapt_lowest_1080_1', 7, { sound: null }),
          gear('adapt_lower_720_1', 7),
        ],
      }),
    },
  ),
  post(
    'posts',
    'silent-hd-only',
    'The only file above the default has no sound, and its address does not say so',
    {
      media: video(7, {
        gears: [gear('normal_540_0', 7), gear('adapt_lowest_1080_1', 7, { sound: null })],
      }),
    },
  ),
  post('posts', 'mono-24k', 'Sound as AAC LC, one channel at 24 kHz', {
    media: plainVideo(5, { sound: 'aac-lc-mono-24k' }),
  }),
  post('posts', 'surround', 'Sound as AAC LC in 5.1', { media: plainVideo(5, { sound: 'aac-lc-surround' }) }),
  post('posts', 'sound-not-aac', 'Sound in another codec than AAC', {
    media: plainVideo(5, { soundEntry: 'Opus' }),
  }),
  post('posts', 'fragmented', 'An mp4 of fragments', { media: plainVideo(5, { fragmented: true }) }),
  post('posts', 'long-60s', '60 seconds of 720p, 12.4 MB, picture and sound change every half second', {
    media: video(60, { gears: [gear('normal_720_0', 60, { bytes: 12_400_000 })] }),
  }),
  post('posts', 'long-60s-hd', '60 seconds in 720 and 1080', { media: video(60) }),
  post('posts', 'fine-interleave', '60 seconds whose sound lies in 1,800 pieces', {
    media: video(60, { gears: [gear('normal_720_0', 60, { bytes: 12_400_000, interleaveS: 1 / 30 })] }),
  }),
  post('posts', 'moov-last', '20 seconds with the index at the end of the file', {
    media: plainVideo(20, { moov: 'last' }),
  }),
  post('posts', 'moov-last-fine', '60 seconds, index at the end, sound in 1,800 pieces', {
    media: plainVideo(60, { moov: 'last', interleaveS: 1 / 30 }),
  }),
  post('posts', 'sound-in-one-piece', 'All pictures first, then all the sound', {
    media: plainVideo(20, { interleaveS: 1_000 }),
  }),
  post('posts', 'he-aac', 'Sound as HE-AAC: a core of 22 kHz and spectral band replication', {
    media: plainVideo(10, { sound: 'he-aac' }),
  }),
  post('posts', 'he-aac-v2', 'Sound as HE-AAC v2: a mono core of 22 kHz and parametric stereo', {
    media: plainVideo(10, { sound: 'he-aac-v2' }),
  }),
  post('posts', 'very-short', 'One second', { media: plainVideo(1) }),
  post('posts', 'ten-minutes', '10 minutes, 120 MB: for those who change their mind', {
    media: video(600, { gears: [gear('normal_720_0', 600, { bytes: 120_000_000 })] }),
  }),
  post('posts', 'photos', 'Four pictures, one of them WebP, with music as mp3', {
    media: photos(4, 'Harbour pictures'),
    text: 'Four pictures of the harbour #photos',
  }),
  post('posts', 'photos-m4a', 'Three pictures with music as m4a', {
    media: photos(3),
    music: { file: 'm4a' },
  }),
  post('posts', 'photos-no-sound', 'Two pictures, no music', {
    media: photos(2),
    music: { file: 'none' },
  }),
  post('posts', 'photos-one', 'A slideshow of one picture', { media: photos(1) }),
  post('posts', 'photos-35', '35 pictures, the most there can be', { media: photos(35) }),
  post(
    'posts',
    'photos-first-host-refuses',
    'Four pictures that only the second image host gives',
    { media: photos(4) },
    { media: [{ on: 'image', host: 'p16', fault: { kind: 'status', status: 403 } }] },
  ),
  post('posts', 'saving-off', 'The author switched saving off', { downloadSetting: 3 }),
  post('posts', 'missing-author', 'The page says nothing about the author', { authorMissing: true }),
  post('posts', 'missing-music', 'The page has no music object', { music: { file: 'none' } }),
  post('posts', 'missing-music-url', 'The music has no address', {
    media: photos(2),
    music: { file: 'missing' },
  }),
  post('posts', 'empty-music-url', "The music's address is empty", {
    media: photos(2),
    music: { file: 'empty' },
  }),
  post('posts', 'no-size', 'The page names neither width nor height', {
    media: plainVideo(5, {}, { sizeless: true }),
  }),
  post('posts', 'other-hosts', 'The files lie on hosts of other names, all of the platform', {
    media: plainVideo(5, {}, { hosts: ['webapp-va.tiktok.com', 'video-useast5.us.tiktok.com'] }),
  }),
  post('posts', 'address-list', 'Old form: playAddr is a list of { src }', {
    media: plainVideo(5, {}, { playAddrAsList: true }),
  }),
  post('posts', 'no-text', 'The author wrote nothing', { text: '' }),
  post('posts', 'unicode-title', 'Emoji, flags, combining marks and CJK in the text', {
    text: '👩‍👩‍👧‍👦 Grüße aus 東京 🇯🇵 — “naïve” Zürich ﷽ Z̷a̸l̵g̶o̴ <script>alert(1)</script> & "quotes" \\ /../ 100% ✅\nsecond line #日本',
    nickname: '船長 ⚓ <b>Käpt’n</b>',
  }),
  post('posts', 'rtl-title', 'Arabic with a direction mark and an override in the middle', {
    text: 'مرحبا بالعالم \u202Egnp.exe\u202C هذا نص طويل #بحر',
    nickname: 'قبطان العبّارة',
  }),
  post('posts', 'long-text', 'A text of 4,000 characters', { text: LONG_TEXT }),
  post('posts', 'dotted-handle', 'The handle begins with a dot and holds more', {
    handle: '.the_ferry.captain.',
  }),
  post('posts', 'unicode-handle', 'A handle beyond ASCII', { handle: 'fähre.東京' }),
  post('posts', 'size-misstated', 'The page states half of the real file size', {
    media: plainVideo(8, {}, { statedBytes: 720_000 }),
  }),

  refusal('deleted', 'Deleted', 10204, 'item_privacy_authorization&status_deleted'),
  refusal('never-existed', 'Never existed', 10204, "item doesn't exist"),
  refusal('self-only', 'Only the author sees it', 10204, 'item_privacy_authorization&status_self_see'),
  refusal('friends-only', 'Only friends of the author see it', 10204, 'status_friend_see'),
  refusal('region-fenced', 'Withheld in this region', 10204, 'person_geo_fencing', 'found'),
  refusal('region-crossing', 'Withheld across a border', 10204, 'cross_border_violation_ur', 'found'),
  refusal('region-copyright', 'Withheld for copyright here', 10204, 'copyright_geo_filter', 'found'),
  refusal(
    'region-10231',
    'Withheld in this region, by its own code',
    10231,
    'cross_border_violation',
    'found',
  ),
  refusal('in-review', 'Being reviewed', 10204, 'status_reviewing'),
  refusal('audit-failed', 'Did not pass the audit', 10204, 'status_audit_not_pass'),
  refusal('classified', 'Classified content', 10204, 'content_classification'),
  refusal('abnormal', 'Abnormal video', 10215, ''),
  refusal('private-post', 'Private post', 10216, ''),
  refusal('review-unshelved', 'Taken down at first review', 10217, ''),
  refusal('music-unshelved', 'Taken down for its music', 10220, ''),
  refusal('author-banned', 'The author is banned', 10221, 'user banned'),
  refusal('author-banned-10202', 'The author is banned, older code', 10202, 'user banned'),
  refusal('private-account', 'Private account', 10222, ''),
  refusal('recheck', 'Needs to be checked again', 10227, ''),
  refusal('risk', 'At risk', 10228, ''),
  refusal('masked', 'Masked', 10229, ''),
  refusal('masked-10230', 'Masked, another code', 10230, ''),
  refusal('low-age', 'For adults', 10213, ''),
  refusal('low-age-10214', 'For adults, another code', 10214, ''),
  refusal('child-account', "A child's account", 10223, ''),
  refusal('malformed-id', 'The platform calls the id malformed', 100002, ''),
  trouble('server-panic', 'Error inside the platform', 10101, 'SysErrPanic'),
  trouble('captcha-code', 'Status code of a captcha', 10000),
  trouble('shark-slide', 'Status code of a sliding captcha', 10113),
  trouble('shark-block', 'Status code of a block', 10114),
  refusal('login-code', 'Status code: log-in needed', 10102, ''),
  trouble('unknown-code', 'A status code that nobody knows', 10999, 'something_new'),
  post(
    'refusals',
    'age-gate',
    'Age gate: status 0 but no video and no author',
    { ageGate: 'without-media', authorMissing: true },
    { player: 'nil', embed: 'gone' },
  ),
  post(
    'refusals',
    'age-gate-of-the-page',
    'The page keeps it for adults, the player does not',
    { media: plainVideo(5) },
    { page: { kind: 'status', code: 10204, message: 'content_classification' } },
  ),
  post(
    'refusals',
    'captcha-code-nothing',
    'Status code of a captcha; player and embed page say that there is nothing',
    { media: plainVideo(5) },
    { page: { kind: 'status', code: 10000, message: '' }, player: 'nil', embed: 'gone' },
  ),
  post(
    'refusals',
    'server-panic-nothing',
    'Error inside the platform; player and embed page say that there is nothing',
    { media: plainVideo(5) },
    { page: { kind: 'status', code: 10101, message: 'SysErrPanic' }, player: 'nil', embed: 'gone' },
  ),
  post(
    'refusals',
    'friends-only-on-phones',
    'Only the page for phones answers: for friends of the author',
    { media: plainVideo(5) },
    {
      page: { kind: 'status-on-phones', code: 10204, message: 'status_friend_see' },
      player: 'nil',
      embed: 'gone',
      oembed: 'gone',
    },
  ),
  post('refusals', 'age-gate-with-media', 'Marked for age, yet the video is there', {
    ageGate: 'with-media',
  }),

  ...pageFault('wrong-id', 'The page shows another post', { kind: 'wrong-id' }),
  ...pageFault('truncated-50', 'Half of the page arrives', { kind: 'truncated', fraction: 0.5 }),
  ...pageFault('truncated-90', 'Nine tenths of the page arrive', { kind: 'truncated', fraction: 0.9 }),
  ...pageFault('truncated-99', 'Nearly all of the page arrives', { kind: 'truncated', fraction: 0.99 }),
  ...pageFault('shell', 'The home page instead of the post', { kind: 'shell' }),
  ...pageFault('scope-renamed', 'The page got a new shape', { kind: 'scope-renamed' }),
  ...pageFault('fields-renamed', "The item's fields have other names", { kind: 'fields-renamed' }),
  ...pageFault('static-site', 'The site without posts, as large as a page with one', { kind: 'static-site' }),
  ...pageFault('decoy', 'The page for bots: 7 kB without data', { kind: 'decoy' }),
  ...pageFault('challenge', 'Proof-of-work page', { kind: 'challenge', withOriginalId: false }),
  ...pageFault('challenge-rci', 'Proof-of-work page, longer form', {
    kind: 'challenge',
    withOriginalId: true,
  }),
  ...pageFault('challenge-mozilla', 'Proof-of-work page for browsers only', { kind: 'challenge-mozilla' }),
  ...pageFault('maintenance', 'Site maintenance', { kind: 'maintenance' }),
  ...pageFault('captcha-page', 'Captcha page', { kind: 'captcha-page' }),
  ...pageFault('captcha-json', 'Captcha as JSON', { kind: 'captcha-json' }),
  ...pageFault('login', 'Redirect to the log-in page', { kind: 'login' }),
  ...pageFault('empty', 'An empty page', { kind: 'empty' }),
  ...pageFault('forbidden', '403', { kind: 'http', status: 403, body: 'Access Denied' }),
  ...pageFault('throttled', '429', {
    kind: 'http',
    status: 429,
    body: 'overload-protect triggered',
    retryAfterS: 30,
  }),
  ...pageFault('legal', '451', { kind: 'http', status: 451, body: 'Unavailable For Legal Reasons' }),
  ...pageFault('server-error', '500', { kind: 'http', status: 500, body: 'Internal Server Error' }),
  ...pageFault('bad-gateway', '502', { kind: 'http', status: 502, body: 'Bad Gateway' }),
  ...pageFault('oversized', 'A page of 5 MB', { kind: 'oversized', bytes: 5_000_000 }),
  ...pageFault('gzip-bomb', '1 GB of zeros in 1 MB of gzip', { kind: 'gzip-bomb', bytes: 1_000_000_000 }),
  ...pageFault('redirect-loop', 'The page redirects to itself', { kind: 'redirect', to: 'itself' }),
  ...pageFault('redirect-foreign', 'The page redirects to another site', { kind: 'redirect', to: 'foreign' }),
  ...pageFault('redirect-private', 'The page redirects to a private address', {
    kind: 'redirect',
    to: 'private',
  }),
  ...pageFault('slow-drip', 'The page comes at 200 bytes a second', {
    kind: 'transfer',
    fault: { kind: 'drip', bytesPerSecond: 200 },
  }),
  ...pageFault('header-stall', 'The page never answers', {
    kind: 'transfer',
    fault: { kind: 'stall-headers' },
  }),
  ...pageFault('body-stall', 'The page stops in the middle', {
    kind: 'transfer',
    fault: { kind: 'stall-body', afterBytes: 20_000 },
  }),
  ...pageFault('page-reset', 'The connection is reset in the middle of the page', {
    kind: 'transfer',
    fault: { kind: 'reset', afterBytes: 20_000 },
  }),
  ...pageFault('page-closed', 'The connection ends in the middle of the page', {
    kind: 'transfer',
    fault: { kind: 'close', afterBytes: 20_000 },
  }),
  post(
    'page faults',
    'forbidden-once',
    '403 at the first read, then fine',
    {},
    {
      page: { kind: 'http', status: 403, body: 'Access Denied' },
      pageReads: 1,
      player: 'error',
      embed: 'error',
    },
  ),
  post(
    'page faults',
    'only-embed',
    'New page shape, player down: only the embed page works',
    { media: plainVideo(6) },
    { page: { kind: 'scope-renamed' }, player: 'error' },
  ),
  post(
    'page faults',
    'only-player-photos',
    'A slideshow that only the player and the embed page know',
    { media: photos(3) },
    { page: { kind: 'scope-renamed' } },
  ),
  post(
    'page faults',
    'player-busy',
    'New page shape, player says it is busy, embed page has another shape',
    { media: plainVideo(6) },
    { page: { kind: 'scope-renamed' }, player: 'busy', embed: 'fields-renamed' },
  ),
  post(
    'page faults',
    'player-changed',
    'New page shape, new player shape, only the embed page works',
    { media: plainVideo(6) },
    { page: { kind: 'scope-renamed' }, player: 'fields-renamed' },
  ),
  post(
    'page faults',
    'player-empty',
    'New page shape, the player answers nothing, only the embed page works',
    { media: plainVideo(6) },
    { page: { kind: 'scope-renamed' }, player: 'empty' },
  ),

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

  ...(Object.keys(DAMAGES) as DamageName[]).map((damage) =>
    post('damaged files', `damaged-${damage}`, `The file is damaged: ${damage.replaceAll('-', ' ')}`, {
      media: video(4, { gears: [gear('normal_540_0', 4, {}, { damage })] }),
    }),
  ),
];

const byName = new Map(POSTS.map((scenario) => [scenario.name, scenario]));
const byId = new Map(POSTS.map((scenario) => [scenario.id, scenario]));

/** @throws when there is no post of that name */
export function postNamed(name: string): PostScenario {
  const scenario = byName.get(name);
  if (scenario === undefined) throw new Error(`The double has no post named ${name}`);
  return scenario;
}

/** The post with that id, or the one behind a numbered id; undefined when the platform does not know it. */
export function postWithId(id: string): PostScenario | undefined {
  return byId.get(id) ?? (isNumberedId(id) ? byName.get('numbered') : undefined);
}

/** The address that a visitor would copy from the browser. */
export function postUrl(scenario: PostScenario, id = scenario.id): string {
  const kind = scenario.post.media.kind === 'photos' ? 'photo' : 'video';
  return `https://www.tiktok.com/@${scenario.post.handle}/${kind}/${id}`;
}
