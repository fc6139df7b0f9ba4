import type { HostRole } from '../hosts.ts';
import type { MediaFault, MediaRule } from '../scenarios/scenario.ts';
import type { Answer } from '../transport/answer.ts';
import { fileOf, type MediaFile } from './files.ts';
import { checkImage, checkPathSigned, checkPrime, type Refusal, type Seen } from './signing.ts';

/** A request to one of the media hosts. */
export interface MediaQuestion extends Seen {
  readonly host: string;
  readonly role: Extract<HostRole, 'prime' | 'path-signed' | 'images' | 'sound'>;
  readonly range: string | undefined;
  /** True while the rule still applies; counts the request. */
  readonly takeTurn: (rule: MediaRule, file: MediaFile) => boolean;
}

export interface MediaAnswer {
  readonly file: MediaFile | undefined;
  readonly answer: Answer;
}

/** A media server's response: the file or a range of it, or the fault that the post's rules select. */
export function mediaAnswer(question: MediaQuestion): MediaAnswer {
  const checked = {
    prime: checkPrime,
    images: checkImage,
    'path-signed': checkPathSigned,
    sound: checkPathSigned,
  }[question.role](question);
  if ('refused' in checked) return { file: fileOfRefused(question), answer: refused(checked.refused) };
  const file = fileOf(checked.key);
  if (file === undefined) return { file, answer: plain(404, 'Not Found') };
  const good = fileAnswer(file, question.range);
  const rule = file.scenario.media.find(
    (candidate) =>
      candidate.on === file.kind &&
      (candidate.file ?? file.what) === file.what &&
      question.host.startsWith(candidate.host ?? '') &&
      isRanged(candidate.ranges, question.range) &&
      question.takeTurn(candidate, file),
  );
  return { file, answer: rule === undefined ? good : faulty(rule.fault, good, file, question) };
}

const rangePatterns: Readonly<Record<NonNullable<MediaRule['ranges']>, RegExp>> = {
  part: /^bytes=\d+-\d+$/,
  any: /^bytes=/,
  whole: /^(?:bytes=0-)?$/,
  rest: /^bytes=[1-9]\d{3,}-/,
};

function isRanged(ranges: MediaRule['ranges'], header = ''): boolean {
  return ranges === undefined || rangePatterns[ranges].test(header);
}

function fileOfRefused({ url }: MediaQuestion): MediaFile | undefined {
  return fileOf(/\/(o\d{1,20}-[a-z0-9_-]+)/.exec(url.pathname)?.[1] ?? '');
}

function fileAnswer(file: MediaFile, rangeHeader: string | undefined, bytes = file.bytes()): Answer {
  const headers = {
    'content-type': file.contentType,
    'accept-ranges': 'bytes',
    'last-modified': 'Sun, 01 Jun 2025 00:00:00 GMT',
    'cache-control': 'max-age=2592000',
    'x-cache': 'TCP_HIT from a23-45-67-89.deploy.akamaitechnologies.com',
  };
  const range = parseRange(rangeHeader, bytes.length);
  if (range === 'none') return { status: 200, headers, body: bytes };
  if (range === 'unsatisfiable') {
    return {
      status: 416,
      headers: { 'content-type': 'text/html', 'content-range': `bytes */${bytes.length}` },
      body: Buffer.alloc(0),
    };
  }
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${range.start}-${range.end - 1}/${bytes.length}` },
    body: bytes.subarray(range.start, range.end),
  };
}

/** One range of RFC 9110, 14.1.2; anything else is ignored, as servers may. */
function parseRange(
  header: string | undefined,
  size: number,
): 'none' | 'unsatisfiable' | { readonly start: number; readonly end: number } {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) return 'none';
  if (match[1] === '') {
    const length = Math.min(size, Number(match[2]));
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(match[1]);
  const end = match[2] === '' ? size : Math.min(size, Number(match[2]) + 1);
  if (match[2] !== '' && Number(match[2]) < start) return 'none';
  return start >= size ? 'unsatisfiable' : { start, end };
}

const PLAYLIST = [
  '#EXTM3U',
  '#EXT-X-TARGETDURATION:10',
  '#EXTINF:10,',
  'https://playlist.example.com/segment-1.ts',
  '#EXTINF:10,',
  'http://127.0.0.1:9/segment-2.ts',
  '#EXTINF:10,',
  'file:///etc/passwd',
  '#EXT-X-ENDLIST',
  '',
].join('\n');

function faulty(fault: MediaFault, good: Answer, file: MediaFile, question: MediaQuestion): Answer {
  switch (fault.kind) {
    case 'forbidden':
      return forbidden(fault.bodyBytes);
    case 'stale-first-read':
      // The page signed the address as a stale one, which the check has refused already.
      return good;
    case 'status':
      return plain(fault.status, `Status ${fault.status}`);
    case 'html':
      return {
        status: 200,
        headers: { 'content-type': file.contentType },
        body: Buffer.from(`<!doctype html><title>Please wait</title>${'<p>Not a file.</p>'.repeat(400)}`),
      };
    case 'playlist':
      return { status: 200, headers: { 'content-type': 'video/mp4' }, body: Buffer.from(PLAYLIST) };
    case 'empty':
      return { status: 200, headers: { 'content-type': file.contentType }, body: Buffer.alloc(0) };
    case 'no-ranges':
      return { status: 200, headers: { 'content-type': file.contentType }, body: file.bytes() };
    case 'never-past': {
      const start = Number(/^bytes (\d+)-/.exec(String(good.headers['content-range'] ?? ''))?.[1] ?? 0);
      return { ...good, fault: { kind: 'close', afterBytes: Math.max(0, fault.offset - start) } };
    }
    case 'other-file': {
      const other = Buffer.concat([file.bytes(), Buffer.alloc(fault.longerBy)]);
      return fileAnswer(file, question.range, other);
    }
    case 'redirect':
      return redirected(fault.to, question);
    case 'length-off':
      return { ...good, fault: { kind: 'wrong-length', contentLength: good.body.length + fault.by } };
    case 'transfer':
      return { ...good, fault: fault.fault };
  }
}

function redirected(to: 'mirror' | 'itself' | 'foreign' | 'private', { url, host }: MediaQuestion): Answer {
  const rest = `${url.pathname}${url.search}`;
  const location = {
    mirror: `https://v19-webapp-prime.tiktok.com${rest}`,
    itself: `https://${host}${rest}`,
    foreign: `https://files.example.com${rest}`,
    private: `https://10.0.0.1${rest}`,
  }[to];
  return { status: 302, headers: { location, 'content-type': 'text/html' }, body: Buffer.alloc(0) };
}

/** Refusals differ by reason, so that a product cannot rely on one form. */
function refused(refusal: Refusal): Answer {
  if (refusal === 'cookie') return forbidden(506);
  return forbidden(refusal === 'referer' || refusal === 'user-agent' ? 423 : 522);
}

function forbidden(bodyBytes: 423 | 506 | 522): Answer {
  const head = '<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\n';
  return {
    status: 403,
    headers: { 'content-type': bodyBytes === 522 ? 'video/mp4' : 'text/html' },
    body: Buffer.from(head.padEnd(bodyBytes - 17, ' ').concat('\n</BODY>\n</HTML>\n')),
  };
}

function plain(status: number, text: string): Answer {
  return { status, headers: { 'content-type': 'text/plain' }, body: Buffer.from(text) };
}
