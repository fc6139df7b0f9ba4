import { captionsKey, statedSize } from '../media/files.ts';
import { createdAtS } from '../scenarios/ids.ts';
import type { MusicContent, PostScenario, VideoContent } from '../scenarios/scenario.ts';
import { Addresses } from './addresses.ts';
import { bitrate, encodings, noPixels, pixels, playAddrStruct } from './encodings.ts';
import type { Slots } from './template.ts';

/** `itemStruct` of the post's page. Numbers and texts are mixed as on the platform. */
export function itemStruct(scenario: PostScenario, slots: Slots) {
  const { post, id } = scenario;
  const addresses = new Addresses(slots, scenario);
  const createTime = createdAtS(id);
  const gated = post.ageGate === 'without-media';
  return {
    id: addresses.id(),
    desc: post.text,
    createTime: String(createTime),
    locationCreated: 'US',
    textLanguage: 'en',
    isAd: false,
    privateItem: false,
    secret: false,
    forFriend: false,
    shareEnabled: true,
    duetEnabled: true,
    stitchEnabled: true,
    takeDown: 0,
    isReviewing: false,
    itemCommentStatus: 0,
    IsAigc: false,
    AIGCDescription: '',
    diversificationLabels: ['Travel'],
    CategoryType: 112,
    suggestedWords: ['ferry', 'harbour'],
    item_control: { can_repost: true },
    ...(post.ageGate === 'none' ? {} : { isContentClassified: true, ContentClassificationReason: 209007 }),
    ...(post.authorMissing ? {} : { author: author(scenario, addresses, createTime) }),
    contents: post.text.split('\n').map((desc) => ({ desc, textExtra: [] })),
    challenges: [...post.text.matchAll(/#(\p{L}+)/gu)].map((match, n) => ({
      id: String(1000 + n),
      title: match[1],
    })),
    textExtra: textExtra(post.text, post.handle),
    ...(post.music.file === 'none' ? {} : { music: music(post.music, addresses) }),
    stats: { playCount: 12_300, diggCount: 1234, commentCount: 56, shareCount: 78, collectCount: '90' },
    statsV2: {
      playCount: '12345',
      diggCount: '1234',
      commentCount: '56',
      shareCount: '78',
      collectCount: '90',
      repostCount: '0',
    },
    authorStats: { followerCount: 4321, followingCount: 12, heart: 98_765, videoCount: 43 },
    ...(gated ? {} : { video: video(scenario, addresses) }),
    ...(post.media.kind === 'photos' ? { imagePost: imagePost(scenario, addresses) } : {}),
    ...(post.media.kind === 'video' && post.media.emptyImagePost ? { imagePost: { images: null } } : {}),
  };
}

function author({ post }: PostScenario, addresses: Addresses, createTime: number) {
  const [avatar] = addresses.image('avatar', 'tplv-tiktokx-cropcenter:720:720.jpeg');
  return {
    id: '7000000000000000001',
    uniqueId: post.handle,
    nickname: post.nickname,
    secUid: 'MS4wLjABAAAAdoubledoubledoubledoubledoubledoubledoubledoubledouble',
    avatarThumb: avatar,
    avatarMedium: avatar,
    avatarLarger: avatar,
    signature: 'Back and forth',
    verified: false,
    privateAccount: false,
    secret: false,
    ftc: false,
    downloadSetting: post.downloadSetting,
    createTime: createTime - 10_000_000,
  };
}

/** Offsets count UTF-16 units; type 1 is a hashtag, 0 a mention. */
function textExtra(text: string, handle: string) {
  return [...text.matchAll(/([#@])([\p{L}\d_]+)/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    hashtagName: match[1] === '#' ? match[2] : '',
    hashtagId: '',
    userUniqueId: match[1] === '@' ? handle : '',
    secUid: '',
    type: match[1] === '#' ? 1 : 0,
  }));
}

function music(content: MusicContent, addresses: Addresses) {
  const playUrl =
    content.file === 'missing' ? {} : { playUrl: content.file === 'empty' ? '' : addresses.sound(content) };
  const [cover] = addresses.image('song', 'tplv-tiktokx-cropcenter:720:720.jpeg');
  return {
    id: '7100000000000000001',
    title: content.title,
    authorName: content.artist,
    original: /^original sound/.test(content.title),
    duration: content.seconds,
    preciseDuration: { preciseDuration: content.seconds, preciseShootDuration: content.seconds },
    ...playUrl,
    coverLarge: cover,
    coverMedium: cover,
    coverThumb: cover,
    isCopyrighted: false,
    is_commerce_music: true,
    private: false,
    tt2dsp: {},
  };
}

function video({ post, id }: PostScenario, addresses: Addresses) {
  const [cover] = addresses.image('cover', 'tplv-tiktokx-dmt-logom:tos-useast5-i-0068-tx/cover.image');
  const [originCover] = addresses.image('cover', 'tplv-tiktokx-origin.image');
  if (post.media.kind === 'photos') {
    return {
      id,
      width: 0,
      height: 0,
      duration: 0,
      ratio: '',
      cover,
      originCover,
      playAddr: '',
      downloadAddr: '',
    };
  }
  const content = post.media;
  if (content.song !== undefined) return songAsVideo(content, post.music, addresses);
  const [first] = content.gears;
  if (first === undefined) throw new Error('A video needs an encoding');
  const { width, height } = content.sizeless === true ? noPixels : pixels(first);
  const size = content.statedBytes ?? statedSize(first.file);
  const playAddr = addresses.prime(content.hosts[0], first.name);
  const ratio = first.name === 'normal_720_0' ? '720p' : first.name === 'normal_480_0' ? '480p' : '540p';
  const structure = playAddrStruct(first, content, addresses, size);
  return {
    id,
    width,
    height,
    duration: content.seconds,
    ratio,
    definition: ratio,
    format: first.format === 'dash' ? 'dash' : 'mp4',
    codecType: 'h264',
    encodedType: 'normal',
    videoQuality: 'normal',
    bitrate: bitrate(first),
    size: String(size),
    cover,
    originCover,
    dynamicCover: cover,
    zoomCover: { 240: cover, 480: cover, 720: cover, 960: cover },
    playAddr: content.playAddrAsList === true ? [{ src: playAddr }] : playAddr,
    ...(post.downloadSetting === 3 ? {} : { downloadAddr: addresses.prime(content.hosts[0], 'download') }),
    PlayAddrStruct: structure,
    ...encodings(content, addresses),
    ...captions(content, addresses),
    volumeInfo: isMeasured(content) ? { Loudness: -14.2, Peak: 0.79 } : { Loudness: 0, Peak: 0 },
    VQScore: '68.4',
    videoID: `v12044gd0000${id.slice(-12)}`,
  };
}

/** Addresses of captions say `video_mp4`, as the platform's do. */
function captions({ captions: content = [] }: VideoContent, addresses: Addresses) {
  const url = (index: number) => addresses.free(captionsKey(index));
  return {
    subtitleInfos: content.map(({ language, source, format, text }, index) => ({
      LanguageCodeName: language,
      LanguageID: String(index + 1),
      Format: format,
      Source: source,
      Version: '1',
      Url: url(index),
      UrlExpire: 4_102_444_800,
      Size: Buffer.byteLength(text),
    })),
    claInfo: {
      hasOriginalAudio: true,
      enableAutoCaption: content.length > 0,
      captionInfos: content.map(({ language, source, format }, index) => ({
        language,
        languageID: String(index + 1),
        url: url(index),
        expire: '4102444800',
        captionFormat: format,
        isAutoGen: source !== 'LC',
        isOriginalCaption: source !== 'MT',
        urlList: [url(index)],
        variant: 'default',
      })),
    },
  };
}

function songAsVideo(content: VideoContent, music: MusicContent, addresses: Addresses) {
  const [first] = content.gears;
  const isNamed = content.song === 'named';
  return {
    width: 0,
    height: 0,
    duration: content.seconds,
    codecType: '',
    size: '0',
    playAddr: isNamed ? addresses.sound(music) : addresses.prime(content.hosts[0], first?.name ?? ''),
    downloadAddr: '',
    bitrateInfo: [],
  };
}

function isMeasured({ gears, sounds = [], measured }: VideoContent): boolean {
  return measured ?? (sounds.length > 0 || gears.some(({ file }) => file.clip.sound !== null));
}

function imagePost({ post }: PostScenario, addresses: Addresses) {
  if (post.media.kind !== 'photos') return null;
  const images = post.media.pictures.map(({ width, height, address, motion }, index) => ({
    ...(address !== 'none' && {
      imageURL: {
        urlList: addresses.image(`picture-${index + 1}`, `tplv-photomode-image.${address ?? 'jpeg'}`),
      },
    }),
    imageWidth: width,
    imageHeight: height,
    ...(motion !== undefined && {
      video: {
        playAddr: addresses.prime('v16-webapp-prime.tiktok.com', `motion-${index + 1}`),
        duration: motion.clip.seconds,
      },
    }),
  }));
  return { images, cover: images[0], shareCover: images[0], title: post.media.title };
}
