import { z } from 'zod';
import type { PostShape } from '../../readings.ts';
import { gearFields } from './encodings.ts';
import { itemFields } from './item-schema.ts';
import { expectedTypes, type JsonType, plainName } from './schemas.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Fields of an object, those that are read with their types. */
interface Known {
  readonly names: ReadonlySet<string>;
  readonly types: ReadonlyMap<string, readonly JsonType[]>;
}

/** @param others fields that are not read @param read those that are */
function known(others: string, read: z.ZodRawShape): Known {
  return {
    names: new Set([...words(others), ...Object.keys(read)].map(plainName)),
    types: new Map(
      Object.entries(read).flatMap(([name, schema]) => {
        const types = expectedTypes.get(schema);
        return types === undefined ? [] : [[plainName(name), types]];
      }),
    ),
  };
}

/** An author of old pages is a name. */
const objectOrName = z.unknown().register(expectedTypes, ['object', 'string']);

/** The items of the platform's pages, as of November 2026. Only fields that are read have their types. */
const objects = {
  item: known(
    `scheduleTime challenges statsV2 duetInfo warnInfo originalItem officalItem officialItem textExtra digged
    itemCommentStatus effectStickers duetEnabled stitchEnabled stickersOnItem isAd shareEnabled comments duetDisplay
    stitchDisplay indexEnabled locationCreated suggestedWords contents diversificationLabels diversificationId collected
    channelTags keywordTags adAuthorization adLabelVersion BAInfo IsAigc AIGCDescription IsHDBitrate CategoryType
    textLanguage textTranslatable poi playlistId anchors item_control creatorAIComment backendSourceEventTracking
    authorStats authorStatsV2 videoSuggestWordsList aigcLabelType eventList event HasPromoteEntry vl1 isPinnedItem
    maskType itemMute authorId authorSecId avatarThumb nickname music_id liveRoomInfo isOnThisDay mentions`,
    { ...itemFields.item, author: objectOrName },
  ),
  author: known(
    `id shortId avatarLarger avatarMedium avatarThumb signature createTime verified secUid ftc relation openFavorite
    bioLink commentSetting duetSetting stitchSetting privateAccount secret isADVirtual roomId uniqueIdModifyTime ttSeller
    recommendReason nowInvitationCardUrl nickNameModifyTime isEmbedBanned canExpPlaylist suggestAccountBind
    UserStoryStatus profileTab commerceUserInfo region language followingVisibility profileEmbedPermission eventList`,
    itemFields.author,
  ),
  music: known(
    `id album private isCopyrighted scheduleSearchTime collected tt2dsp is_commerce_music is_unlimited_music
    shoot_duration hasCommerceRight commercialRightType`,
    itemFields.music,
  ),
  imagePost: known('shareCover', itemFields.imagePost),
  image: known('animatedImage livePhoto live_photo video clip thumbnail', itemFields.image),
  video: known(
    `id ratio dynamicCover shareCover reflowCover encodedType videoQuality encodeUserTag definition zoomCover VQScore
    videoID claInfo captionInfos subtitleInfos cla_info bit_rate bit_rate_audio`,
    itemFields.video,
  ),
  gear: known('QualityType HDRType HDRBit is_bytevc1 dub_infos FPS bit_rate', gearFields),
} as const;

/** The names of codecs and containers; empty where there is none to name. */
const codecs = new Set([...words('h264 h265 h265_hvc1 h265_hev1 bytevc1 bytevc1_hvc1 bytevc2 h266 av1'), '']);
const formats = new Set([...words('mp4 dash'), '']);

/** A name of the platform's; anything else may be a key that somebody chose. */
const fieldName = /^(?!.*\d{4})[A-Za-z_][\w]{0,39}$/;
const listedValue = /^[A-Za-z][\w.-]{0,19}$/;

/** More new forms than one answer can tell of at once. */
const mostOfOne = 20;
/** More fields than any object of the platform has. */
const mostFields = 200;
/** Encodings and pictures that are looked at. */
const mostEntries = 8;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const typeOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);

/**
 * Tells of everything in an item that is not known: fields, types of fields that are read, codecs and formats. What is
 * told is bounded, in number and in what it may consist of.
 * @param raw an item of a page, as it came
 */
export function noteShapes(raw: unknown, tell: (shape: PostShape) => void): void {
  const told = new Set<string>();
  const note = (kind: PostShape['kind'], name: string) => {
    const key = `${kind} ${name}`;
    if (told.has(key) || told.size >= mostOfOne) return;
    told.add(key);
    tell({ kind, name });
  };

  function look(value: unknown, path: string, { names, types }: Known): Fields {
    if (!isObject(value)) return {};
    for (const [field, inner] of Object.entries(value).slice(0, mostFields)) {
      const name = plainName(field);
      const at = path === '' ? field : `${path}.${field}`;
      const expected = types.get(name);
      if (!names.has(name)) {
        if (fieldName.test(field)) note('field', at);
      } else if (expected !== undefined && inner !== null && inner !== undefined) {
        const type = typeOf(inner);
        if (!expected.some((one) => one === type)) note('type', `${at}:${type}`);
      }
    }
    return value;
  }

  function lookInto(value: unknown, path: string, one: Known): readonly Fields[] {
    return Array.isArray(value) ? value.slice(0, mostEntries).map((entry) => look(entry, path, one)) : [];
  }

  const inList = (value: unknown, path: string, list: ReadonlySet<string>) => {
    if (typeof value === 'string' && !list.has(value.toLowerCase()) && listedValue.test(value))
      note('value', `${path}=${value.toLowerCase()}`);
  };

  const item = look(raw, '', objects.item);
  look(item.author, 'author', objects.author);
  look(item.music, 'music', objects.music);
  const imagePost = look(item.imagePost, 'imagePost', objects.imagePost);
  lookInto(imagePost.images, 'imagePost.images[]', objects.image);
  const video = look(item.video, 'video', objects.video);
  inList(video.codecType, 'video.codecType', codecs);
  inList(video.format, 'video.format', formats);
  const gears = video.bitrateInfo ?? video.bit_rate;
  for (const gear of lookInto(gears, 'video.bitrateInfo[]', objects.gear)) {
    inList(gear.CodecType, 'video.bitrateInfo[].CodecType', codecs);
    inList(gear.Format, 'video.bitrateInfo[].Format', formats);
  }
}
