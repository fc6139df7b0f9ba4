import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parseRange, resolveRange } from '../ranges.ts';

/** Bytes that begin like an mp4 and differ everywhere after it. */
export function fakeMp4(bytes: number): Buffer {
  const file = Buffer.allocUnsafe(bytes);
  for (let index = 0; index < bytes; index += 1) file[index] = (index * 7 + (index >> 8)) & 0xff;
  file.write('\0\0\0\x18ftypisom', 0, 'latin1');
  return file;
}

/** The special behaviour of one response. */
export interface ResponsePlan {
  /** Stops after this many bytes of the body… */
  readonly after?: number;
  /** …in this way. */
  readonly ending?: 'reset' | 'end' | 'stall';
  /** Takes over the whole answer. */
  readonly instead?: (response: ServerResponse) => void;
  readonly ignoreRange?: boolean;
  /** Serves this file in place of the ordinary one. */
  readonly file?: Buffer;
}

/** An ordinary media server, except for what `plan` says about a request. Counts from 0. */
export function serveFile(
  file: Buffer,
  plan: (count: number, request: IncomingMessage) => ResponsePlan = () => ({}),
): RequestListener {
  let count = 0;
  return (request, response) => {
    const { after, ending, instead, ignoreRange, file: served = file } = plan(count, request);
    count += 1;
    if (instead !== undefined) {
      instead(response);
      return;
    }
    const requested = ignoreRange ? null : parseRange(request.headers.range);
    const choice = resolveRange(requested, served.length);
    if (choice.status === 416) {
      response.writeHead(416, { 'content-range': `bytes */${served.length}` }).end();
      return;
    }
    const body = served.subarray(choice.start, choice.end);
    response.writeHead(choice.status, {
      'content-type': 'video/mp4',
      ...(choice.status === 206
        ? { 'content-range': `bytes ${choice.start}-${choice.end - 1}/${served.length}` }
        : {}),
      // Without a length an early end looks like a clean one.
      ...(ending === 'end' ? {} : { 'content-length': body.length }),
    });
    if (ending === undefined) response.end(body);
    else {
      response.write(body.subarray(0, after), () => {
        if (ending === 'reset') response.socket?.destroy();
        else if (ending === 'end') response.end();
      });
    }
  };
}
