import { gear, moving, photos, photosWith, plainVideo, post, video } from './build.ts';
import type { PostScenario } from './scenario.ts';

const LONG_TEXT = `${'A long story about a ferry, told in one breath. #ferry\n'.repeat(80).slice(0, 3_989)} The end 🏁`;

const HEARD_CAPTIONS = [
  'WEBVTT',
  '00:00:00.120 --> 00:00:01.920\nCast off &amp; hold on',
  '00:00:02.120 --> 00:00:03.920 align:start\n<v Ann>it is <c.loud>windy</c>',
  '',
].join('\n\n');

const OWN_CAPTIONS = JSON.stringify({
  utterances: [{ start_time: 120, end_time: 1920, text: 'Leinen los' }],
});

/** Texts that a stranger might write to make a player execute them, or a parser lose its position. */
const HOSTILE_CAPTIONS = [
  'WEBVTT',
  '00:00:00.000 --> 00:00:01.000\n&lt;script&gt;alert(1)&lt;/script&gt;\u0000',
  '00:00:01.000 --> 00:00:02.000\nodbijamy --&gt; 00:00:09.000',
  '99:99:99.999 --> 00:00:00.000\nnever',
  '',
].join('\n\n');

/** Readable posts, of every shape that the platform has. */
export const readablePosts: readonly PostScenario[] = [
  post('posts', 'ordinary', '720 and 576 as H.264, 1080 as H.265, 7 seconds', {
    text: 'Morning crossing, calm sea #ferry #sea @The Ferry Captain',
  }),
  {
    ...post('posts', 'example', 'The example of the pages, in the shipped site configuration', {
      handle: 'scout2015',
      nickname: 'Two Dogs Afloat',
      text: 'Two dogs on the ferry #ferry #dogs',
    }),
    id: '6718335390845095173',
  },
  post('posts', 'numbered', 'The post behind all numbered ids: 720 and 1080, 7 seconds'),
  post(
    'posts',
    'embed-marked',
    "The embed page's file is another than the page's, with the platform's mark",
    {},
    { embed: 'marked' },
  ),
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
  post('posts', 'captions', 'What is said in it, heard, translated and from the author, one file hostile', {
    text: 'Casting off #ferry #captain, with captions',
    media: video(7, {
      captions: [
        { language: 'pol-PL', source: 'MT', format: 'webvtt', text: HOSTILE_CAPTIONS },
        { language: 'eng-US', source: 'ASR', format: 'webvtt', text: HEARD_CAPTIONS },
        { language: 'deu-DE', source: 'LC', format: 'creator_caption', text: OWN_CAPTIONS },
        { language: 'no language!', source: 'ASR', format: 'webvtt', text: HEARD_CAPTIONS },
      ],
    }),
  }),
  post(
    'posts',
    'captions-lost',
    'Captions that no server gives',
    {
      media: video(7, {
        captions: [{ language: 'eng-US', source: 'ASR', format: 'webvtt', text: HEARD_CAPTIONS }],
      }),
    },
    { media: [{ on: 'captions', fault: { kind: 'status', status: 403 } }] },
  ),
  post(
    'posts',
    'whole-player',
    'No page shows it; the player has captions and H.265 of 1080',
    {
      media: video(7, {
        captions: [{ language: 'eng-US', source: 'LC', format: 'webvtt', text: HEARD_CAPTIONS }],
      }),
    },
    { page: { kind: 'challenge', withOriginalId: false }, player: 'whole' },
  ),
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
  post('posts', 'photos-moving', 'A picture, one that moves, and a slide of video alone', {
    media: photosWith(3, { 1: { motion: moving(3) }, 2: { address: 'none', motion: moving(4, 'aac-lc') } }),
  }),
  post('posts', 'photos-unlisted', 'Four pictures, of the second of which no address is given', {
    media: photosWith(4, { 1: { address: 'none' } }),
  }),
  post('posts', 'photos-heic', 'A JPEG whose address says HEIC, a real HEIC, and a JPEG', {
    media: photosWith(3, { 0: { address: 'heic' }, 1: { address: 'heic', file: 'heic' } }),
  }),
  post(
    'posts',
    'song-for-video',
    'A photo post described as a video, whose file is the song',
    { media: plainVideo(8, {}, { song: 'named' }), music: { file: 'mp3' } },
    { player: 'nil', embed: 'gone' },
  ),
  post(
    'posts',
    'song-for-video-unnamed',
    'The same, at an address that says nothing of a song',
    { media: plainVideo(8, {}, { song: 'unnamed' }), music: { file: 'none' } },
    { player: 'nil', embed: 'gone' },
  ),
  post('posts', 'empty-image-post', 'A video with an `imagePost` that lists no pictures', {
    media: plainVideo(5, {}, { emptyImagePost: true }),
  }),
  post('posts', 'song', "A video with somebody else's song", {
    media: plainVideo(5),
    text: 'Dancing on deck #ferry',
    music: { title: 'Harbour – „Lights“', artist: 'Ümläut & Söhne' },
  }),
  post('posts', 'photos-song', "Two pictures with somebody else's song", {
    media: photos(2),
    text: 'Two pictures of the deck #photos',
    music: { title: 'Harbour – „Lights“', artist: 'Ümläut & Söhne' },
  }),
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
];
