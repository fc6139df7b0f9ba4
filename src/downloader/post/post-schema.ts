import { z } from 'zod';
import { platformName, postId } from './names.ts';
import type {
  CaptionTrack,
  ListedPost,
  MediaSource,
  Picture,
  Post,
  PostList,
  PostReference,
  SeparateSound,
  Song,
  SoundTrack,
  VideoVariant,
} from './post.ts';

/** An object schema that must list each property of the type, so that serialisation loses none. */
function objectOf<T extends object>() {
  return <Shape extends { [Name in keyof T]-?: z.ZodType<T[Name]> }>(shape: Shape) => z.object(shape);
}

const egress = z.string().optional();
const amount = z.number().nullable();

const mediaSource = objectOf<MediaSource>()({
  urls: z.array(z.string()),
  headers: z.record(z.string(), z.string()),
  expiresAt: z.number(),
  egress,
});

const video = objectOf<VideoVariant>()({
  codec: z.enum(['h264', 'h265']),
  width: z.number(),
  height: z.number(),
  bytes: amount,
  bitrate: amount,
  tracks: z.enum(['whole', 'picture', 'unknown']),
  quality: amount,
  soundId: z.string().nullable(),
  framesPerSecond: amount.optional(),
  mayBeMarked: z.boolean().optional(),
  source: mediaSource,
});

const separateSound = objectOf<SeparateSound>()({
  id: z.string(),
  bytes: amount,
  bitrate: amount,
  source: mediaSource,
});

const picture = objectOf<Picture>()({
  width: z.number(),
  height: z.number(),
  source: mediaSource.nullable(),
  motion: mediaSource.nullable(),
});

const song = objectOf<Song>()({
  title: z.string(),
  artist: z.string(),
  isOriginal: z.boolean(),
  cover: mediaSource.nullable(),
});

const captions = objectOf<CaptionTrack>()({
  language: z.string(),
  origin: z.enum(['author', 'speech', 'translation']).nullable(),
  source: mediaSource,
});

const sound = objectOf<SoundTrack>()({
  container: z.enum(['mp3', 'mp4']).nullable(),
  durationS: amount,
  source: mediaSource,
});

/** A post that another instance read. */
export const postSchema: z.ZodType<Post> = objectOf<Post>()({
  platform: platformName,
  id: postId,
  url: z.string(),
  kind: z.enum(['video', 'photos']),
  author: z.object({ handle: z.string(), name: z.string() }),
  title: z.string(),
  durationS: z.number(),
  cover: mediaSource.nullable(),
  createdAt: amount,
  stats: z.object({ plays: amount, likes: amount }).optional(),
  videos: z.array(video),
  separateSounds: z.array(separateSound),
  pictures: z.array(picture),
  sound: sound.nullable(),
  songFile: sound.optional(),
  song: song.nullable(),
  captions: z.array(captions).optional(),
  soundMeasured: z.boolean(),
  savingAllowed: z.boolean().nullable(),
  isThin: z.literal(true).optional(),
  readBy: z.string(),
  egress,
});

/** A post that another instance found. */
export const referenceSchema: z.ZodType<PostReference> = objectOf<PostReference>()({
  platform: platformName,
  id: postId,
  egress,
});

/** A list that another instance read. */
export const listSchema: z.ZodType<PostList> = objectOf<PostList>()({
  platform: platformName,
  kind: z.enum(['sound', 'creator', 'hashtag']),
  name: z.string(),
  url: z.string(),
  title: z.string(),
  artist: z.string(),
  picture: mediaSource.nullable(),
  posts: z.array(objectOf<ListedPost>()({ id: postId, handle: z.string() })),
});
