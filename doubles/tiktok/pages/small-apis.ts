import { captionsKey, statedSize } from '../media/files.ts';
import { createdAtS } from '../scenarios/ids.ts';
import { postUrl } from '../scenarios/posts.ts';
import { GEARS, type GearName, type PostScenario, type VideoContent } from '../scenarios/scenario.ts';
import { Addresses } from './addresses.ts';
import { bitrate, pixels } from './encodings.ts';
import { escapeForPage, pageJson } from './html.ts';
import { Slots, type Template } from './template.ts';

const templates = new Map<string, Template>();

function remembered(key: string, make: () => Template): Template {
  let template = templates.get(key);
  if (template === undefined) {
    template = make();
    templates.set(key, template);
  }
  return template;
}

/** The response of `player/api/v1/items` for a known post; snake_case, numbers as numbers, no cookie needed. */
export function playerItems(scenario: PostScenario): Template {
  return remembered(`player ${scenario.name}`, () => {
    const slots = new Slots();
    const answer = { status_code: 0, items: [playerItem(scenario, slots)], results: [] };
    return slots.template(JSON.stringify(answer));
  });
}

function playerItem(scenario: PostScenario, slots: Slots): Record<string, unknown> {
  const { post, id } = scenario;
  const addresses = new Addresses(slots, scenario);
  const { media, music } = post;
  const author = {
    unique_id: post.handle,
    nickname: post.nickname,
    secret_id: 'MS4wLjABAAAAdouble',
    avatar_url_list: addresses.image('avatar', 'tplv-tiktokx-cropcenter:720:720.jpeg'),
  };
  const sound =
    music.file === 'none' || music.file === 'missing' || music.file === 'empty'
      ? []
      : [addresses.sound(music)];
  return {
    id: 0,
    id_str: addresses.id(),
    desc: post.text,
    create_time: createdAtS(id),
    aweme_type: media.kind === 'photos' ? 150 : 0,
    region: 'US',
    ...(post.authorMissing ? {} : { author_info: author }),
    statistics_info: { digg_count: 1234, comment_count: 56, share_count: 78 },
    ...(media.kind === 'photos'
      ? { image_post_info: { images: playerImages(scenario, addresses) } }
      : { video_info: playerVideo(scenario, addresses) }),
    ...(music.file === 'none'
      ? {}
      : {
          music_info: {
            id_str: '7100000000000000001',
            title: music.title,
            author: music.artist,
            duration: music.seconds,
            play_url: { uri: '', url_list: sound },
          },
        }),
  };
}

function playerVideo({ post, player }: PostScenario, addresses: Addresses) {
  if (post.media.kind !== 'video') return null;
  const [first] = post.media.gears;
  if (first === undefined) return null;
  const urls = (name: string) => [addresses.free(name), addresses.free(name, 'v19m.tiktokcdn-us.com')];
  return {
    meta: { duration: post.media.seconds * 1000, ...pixels(first), bitrate: bitrate(first), format: 'mp4' },
    cover: { url_list: addresses.image('cover', 'tplv-tiktokx-origin.image') },
    origin_cover: { url_list: addresses.image('cover', 'tplv-tiktokx-origin.image') },
    url_list: urls(first.name),
    ...(player === 'whole' && playerCaptions(post.media, addresses)),
    // The player rarely has H.265 or encodings above 720, and never silent ones.
    profiles: post.media.gears
      .filter(({ name, format }) => (player === 'whole' || isInPlayer(name)) && format !== 'dash')
      .map((gear) => ({
        gear_name: gear.name,
        codec_type: GEARS[gear.name].codec,
        bitrate: bitrate(gear),
        fps: 30,
        play_addr: {
          url_list: urls(gear.name),
          ...pixels(gear),
          data_size: statedSize(gear.file),
          uri: `v12044gd0000${gear.name}`,
        },
      })),
  };
}

function isInPlayer(name: GearName): boolean {
  const { codec, shortSide } = GEARS[name];
  return codec === 'h264' && shortSide <= 720;
}

function playerCaptions({ captions = [] }: VideoContent, addresses: Addresses) {
  const infos = captions.map(({ language, source, format }, index) => ({
    lang: language,
    caption_format: format,
    is_auto_generated: source !== 'LC',
    url: addresses.free(captionsKey(index)),
    expire: 4_102_444_800,
  }));
  return { cla_info: { caption_infos: infos } };
}

function playerImages({ post }: PostScenario, addresses: Addresses) {
  if (post.media.kind !== 'photos') return [];
  return post.media.pictures.map(({ width, height, address, motion }, index) => ({
    display_image: {
      url_list:
        address === 'none'
          ? []
          : addresses.image(`picture-${index + 1}`, `tplv-photomode-image.${address ?? 'jpeg'}`),
      width,
      height,
    },
    ...(motion !== undefined && {
      video: { play_addr: { url_list: [addresses.free(`motion-${index + 1}`)] } },
    }),
    owner_watermark_image: {
      url_list: addresses.image(`picture-${index + 1}`, 'tplv-photomode-watermark.jpeg'),
      width,
      height,
    },
  }));
}

/** The response of `/embed/v2/{id}` for a visible post. The script's id occurs elsewhere in the page too. */
export function embedPage(scenario: PostScenario, renamed: boolean): Template {
  return remembered(`embed ${scenario.name} ${renamed}`, () => {
    const slots = new Slots();
    const addresses = new Addresses(slots, scenario);
    const id = addresses.id();
    const data = { code: 0, isError: false, videoData: embedVideoData(scenario, addresses) };
    const key = renamed ? `/embed/v3/${id}` : `/embed/v2/${id}`;
    const state = { source: { data: { [key]: data, strategy: { code: 0 } } } };
    return slots.template(
      '<!DOCTYPE html><html><head><title>TikTok embed</title>' +
        '<script>window.read = () => document.getElementById("__FRONTITY_CONNECT_STATE__");</script></head><body>' +
        `<script id="__FRONTITY_CONNECT_STATE__" type="application/json">${pageJson(state)}</script></body></html>`,
      escapeForPage,
    );
  });
}

function embedVideoData(scenario: PostScenario, addresses: Addresses) {
  const { post, id } = scenario;
  const { media, music } = post;
  const first = media.kind === 'video' ? media.gears[0] : undefined;
  const covers = addresses.image('cover', 'tplv-tiktokx-origin.image').slice(0, 1);
  const sound =
    music.file === 'none' || music.file === 'missing' || music.file === 'empty'
      ? []
      : [addresses.sound(music)];
  return {
    itemInfos: {
      id: addresses.id(),
      text: post.text,
      createTime: String(createdAtS(id)),
      covers,
      coversOrigin: covers,
      video:
        first === undefined
          ? { urls: [], videoMeta: { width: 0, height: 0, duration: 0, ratio: 0 } }
          : {
              urls: [addresses.free(scenario.embed === 'marked' ? 'download' : first.name)],
              videoMeta: { ...pixels(first), duration: media.kind === 'video' ? media.seconds : 0, ratio: 9 },
            },
      playCount: 12_300,
      diggCount: 1200,
      commentCount: 56,
      shareCount: 78,
    },
    authorInfos: post.authorMissing
      ? {}
      : { uniqueId: post.handle, nickName: post.nickname, covers, verified: false },
    musicInfos: { musicName: music.title, authorName: music.artist, playUrl: sound },
    ...(media.kind === 'photos'
      ? {
          imagePostInfo: {
            images: media.pictures.map(({ width, height }, index) => ({
              displayImage: {
                urlList: addresses.image(`picture-${index + 1}`, 'tplv-photomode-image.jpeg'),
                width,
                height,
              },
            })),
          },
        }
      : {}),
    challengeInfoList: [],
    textExtra: [],
  };
}

/** The response of `/oembed` for an existing post, wherever it is visible. */
export function oembed(scenario: PostScenario): Template {
  return remembered(`oembed ${scenario.name}`, () => {
    const slots = new Slots();
    const [thumbnail] = new Addresses(slots, scenario).image('cover', 'tplv-tiktokx-origin.image');
    const { handle, nickname, text } = scenario.post;
    return slots.template(
      JSON.stringify({
        version: '1.0',
        type: 'video',
        title: text,
        author_url: `https://www.tiktok.com/@${handle}`,
        author_name: nickname,
        author_unique_id: handle,
        width: '100%',
        height: '100%',
        html: `<blockquote class="tiktok-embed" cite="${postUrl(scenario)}"></blockquote>`,
        thumbnail_width: 576,
        thumbnail_height: 1024,
        thumbnail_url: thumbnail,
        provider_url: 'https://www.tiktok.com',
        provider_name: 'TikTok',
        embed_product_id: slots.add(({ id }) => id),
        embed_type: 'video',
      }),
    );
  });
}
