import { z } from 'zod';
import { Failure } from '../../../../failures/failures.ts';
import { runBounded } from '../../bounded-process.ts';
import type { Strategy } from '../../extractor.ts';
import { UnreadableResponse } from '../../unreadable.ts';
import { usualUserAgents } from '../identities/identities.ts';
import { Jar } from '../identities/jar.ts';
import { composePost, type PostParts } from '../post/compose-post.ts';
import { codecOf } from '../post/encodings.ts';
import { amount, id, list, shape, text } from '../post/schemas.ts';
import { parseJson } from '../responses/json.ts';

const formatSchema = z.object({
  format_id: text,
  format_note: text,
  url: text,
  vcodec: text,
  acodec: text,
  width: amount,
  height: amount,
  filesize: amount,
  /** kbit/s */
  tbr: amount,
  abr: amount,
  cookies: text,
  http_headers: shape({ 'User-Agent': text }),
});

const outputSchema = z.object({
  id,
  title: text,
  description: text,
  uploader: text,
  channel: text,
  track: text,
  artist: text,
  duration: amount,
  timestamp: amount,
  thumbnail: text,
  formats: list(formatSchema, 64),
});

type Output = z.output<typeof outputSchema>;

export interface YtdlpOptions {
  /** The operator's own yt-dlp. */
  readonly path: string;
  /** Its complete environment for an egress: search path, proxy. */
  readonly env: (egress: string | undefined) => Readonly<Record<string, string>>;
  /** Removes secrets from its errors. */
  readonly redact?: (text: string, egress: string | undefined) => string;
}

const limitMs = 9_000;

/** The operator's fallback: an external program, run in its own bounded process. */
export function ytdlpStrategy(
  { path, env, redact = (text) => text }: YtdlpOptions,
  now: () => number,
): Strategy {
  const name = 'ytdlp';
  return {
    name,
    limitMs,
    async read(reference, signal) {
      const address = `https://www.tiktok.com/@i/video/${reference.id}`;
      const { code, stdout, stderr } = await runBounded({
        command: path,
        args: [
          ...['--ignore-config', '--dump-single-json', '--no-playlist', '--no-warnings', '--no-progress'],
          ...['--no-cache-dir', '--socket-timeout', '5', '--', address],
        ],
        env: env(reference.egress),
        maxBytes: 4_000_000,
        signal,
      });
      if (code !== 0) {
        const reason = redact(stderr.trim(), reference.egress);
        throw new Failure('platform_failed', { note: `yt-dlp ended with ${code}: ${reason}` });
      }
      const answer = outputSchema.safeParse(parseJson(stdout));
      if (!answer.success || answer.data.id !== reference.id) {
        throw new UnreadableResponse('id', { note: 'yt-dlp described another post', cause: answer.error });
      }
      const withCookies = answer.data.formats.find((format) => format.cookies !== '');
      const userAgent =
        answer.data.formats.map((format) => format.http_headers?.['User-Agent']).find((agent) => agent) ??
        usualUserAgents[0] ??
        '';
      const jar = new Jar(now);
      jar.store(address, cookieLines(withCookies?.cookies ?? ''));
      const session = { userAgent: headerSafe(userAgent), cookie: jar.headerFor(address) };
      return composePost(partsOf(answer.data), { reference, session, nowMs: now(), readBy: name });
    },
  };
}

function partsOf(answer: Output): PostParts {
  return {
    handle: answer.uploader,
    name: answer.channel,
    title: answer.description || answer.title,
    createdAt: answer.timestamp,
    durationS: answer.duration ?? 0,
    covers: [[answer.thumbnail]],
    videos: answer.formats.flatMap((format) => {
      const codec = codecOf(format.vcodec);
      if (codec === null || isWatermarked(format)) return [];
      return [
        {
          codec,
          width: format.width ?? 0,
          height: format.height ?? 0,
          bytes: format.filesize,
          bitrate: format.tbr === null ? null : format.tbr * 1000,
          // It reports a sound for every file, but the absence of one only for files without.
          format: format.acodec === 'none' ? 'dash' : '',
          urls: [format.url],
        },
      ];
    }),
    pictures: null,
    sound: null,
    song: { title: answer.track, artist: answer.artist, original: false, covers: [] },
    separateSounds: answer.formats
      .filter(({ vcodec, acodec }) => vcodec === 'none' && acodec !== '' && acodec !== 'none')
      .map(({ format_id: name, filesize: bytes, abr, tbr, url }) => {
        const rate = abr ?? tbr;
        return { id: name, bytes, bitrate: rate === null ? null : rate * 1000, urls: [url] };
      }),
    soundMeasured: false,
    savingAllowed: null,
    isThin: false,
  };
}

function isWatermarked(format: z.output<typeof formatSchema>): boolean {
  return format.format_id === 'download' || /watermark/i.test(format.format_note);
}

/** yt-dlp writes all cookies in one line, values in quotes, attributes between them. */
function cookieLines(cookies: string): string[] {
  return cookies
    .split(';')
    .filter((pair) => !/^\s*(?:domain|path|expires|secure|httponly|max-age|samesite)\b/i.test(pair))
    .map((pair) => pair.replace(/="(.*)"\s*$/, '=$1'));
}

function headerSafe(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, '').slice(0, 400);
}
