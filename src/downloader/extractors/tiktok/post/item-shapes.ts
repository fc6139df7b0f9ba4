import type { PostShape } from '../../readings.ts';

/** JSON types; null is allowed for each. */
type Types = 'string' | 'number' | 'boolean' | 'array' | 'object';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** A route spells `GearName`, `gearName` or `gear_name`. */
const plain = (name: string) => name.replaceAll('_', '').toLowerCase();

/** Fields of an object, those that are read with their types. */
interface Known {
  readonly names: ReadonlySet<string>;
  readonly types: ReadonlyMap<string, readonly Types[]>;
}

function known(others: string, read: Readonly<Record<string, readonly Types[]>>): Known {
  return {
    names: new Set([...words(others), ...Object.keys(read)].map(plain)),
    types: new Map(Object.entries(read).map(([name, types]) => [plain(name), types])),
  };
}

const text = ['string'] as const;
const flag = ['boolean', 'number'] as const;
const amount = ['number', 'string'] as const;
const object = ['object'] as const;
const array = ['array'] as const;
const address = ['string', 'array'] as const;

/** What items of the platform's pages consist of, as of November 2026. Only fields that are read have their types. */
const objects = {
  item: known(
    `scheduleTime challenges stats statsV2 duetInfo warnInfo originalItem officalItem officialItem textExtra digged
    itemCommentStatus effectStickers duetEnabled stitchEnabled stickersOnItem isAd shareEnabled comments duetDisplay
    stitchDisplay indexEnabled locationCreated suggestedWords contents diversificationLabels diversificationId collected
    channelTags keywordTags adAuthorization adLabelVersion BAInfo IsAigc AIGCDescription IsHDBitrate CategoryType
    textLanguage textTranslatable poi playlistId anchors item_control creatorAIComment backendSourceEventTracking
    authorStats authorStatsV2 videoSuggestWordsList aigcLabelType eventList event HasPromoteEntry vl1 isPinnedItem
    maskType itemMute authorId authorSecId avatarThumb nickname music_id liveRoomInfo isOnThisDay mentions`,
    {
      id: text,
      desc: text,
      createTime: amount,
      privateItem: flag,
      secret: flag,
      forFriend: flag,
      takeDown: flag,
      isReviewing: flag,
      isContentClassified: flag,
      author: ['object', 'string'],
      music: object,
      imagePost: object,
      video: object,
    },
  ),
  author: known(
    `id shortId avatarLarger avatarMedium avatarThumb signature createTime verified secUid ftc relation openFavorite
    bioLink commentSetting duetSetting stitchSetting privateAccount secret isADVirtual roomId uniqueIdModifyTime ttSeller
    recommendReason nowInvitationCardUrl nickNameModifyTime isEmbedBanned canExpPlaylist suggestAccountBind
    UserStoryStatus profileTab commerceUserInfo region language followingVisibility profileEmbedPermission eventList`,
    { uniqueId: text, nickname: text, downloadSetting: amount },
  ),
  music: known(
    `id album private isCopyrighted scheduleSearchTime collected tt2dsp is_commerce_music is_unlimited_music
    shoot_duration hasCommerceRight commercialRightType`,
    {
      title: text,
      authorName: text,
      original: flag,
      coverLarge: address,
      coverMedium: address,
      coverThumb: address,
      duration: amount,
      preciseDuration: object,
      playUrl: address,
    },
  ),
  imagePost: known('shareCover', { title: text, cover: object, images: array }),
  image: known('animatedImage livePhoto live_photo video clip thumbnail', {
    imageURL: object,
    imageWidth: amount,
    imageHeight: amount,
  }),
  video: known(
    `id ratio dynamicCover shareCover reflowCover encodedType videoQuality encodeUserTag definition zoomCover VQScore
    videoID claInfo captionInfos subtitleInfos cla_info bit_rate bit_rate_audio`,
    {
      width: amount,
      height: amount,
      duration: amount,
      size: amount,
      bitrate: amount,
      codecType: text,
      format: text,
      cover: address,
      originCover: address,
      playAddr: address,
      downloadAddr: address,
      PlayAddrStruct: object,
      volumeInfo: object,
      bitrateInfo: array,
      bitrateAudioInfo: array,
    },
  ),
  gear: known('QualityType MVMAF VideoExtra FPS bit_rate HDRType HDRBit is_bytevc1 dub_infos', {
    Bitrate: amount,
    BitrateFPS: amount,
    GearName: text,
    CodecType: text,
    Format: text,
    PlayAddr: object,
  }),
} as const;

/** What codecs and containers are called; empty where there is none to name. */
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
      const name = plain(field);
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
