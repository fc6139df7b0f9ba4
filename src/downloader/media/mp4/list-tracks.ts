import type { ByteSource } from '../contracts.ts';
import { child, children, invalid, printable, requiredChild } from './boxes.ts';
import { headBytes, TopLevelBoxes } from './top-level-boxes.ts';
import { handlerOf } from './track.ts';

type TrackKind = 'picture' | 'sound' | 'other';

/** The contents of an mp4, as its boxes state them. */
export interface FileTracks {
  /** Whether the samples are in fragments behind the tables (`mvex`). */
  readonly isFragmented: boolean;
  /** Ordered as in the file. */
  readonly tracks: readonly {
    readonly kind: TrackKind;
    /** Name of its first sample entry: `avc1`, `hvc1`, `mp4a`. */
    readonly codec: string;
  }[];
}

const kinds: Readonly<Record<string, TrackKind>> = { vide: 'picture', soun: 'sound' };

/**
 * Lists the tracks of an mp4, with the bounded reads of its tables.
 * @throws Failure `media_invalid` when it is no mp4, `media_unavailable`, or the signal's reason
 */
export async function listTracks(source: ByteSource, signal: AbortSignal): Promise<FileTracks> {
  const boxes = new TopLevelBoxes(source, await source.read(0, headBytes, signal), signal);
  for await (const box of boxes) {
    if (box.type === 'moov') return tracksIn(await boxes.readTables(box), box.headerLength);
  }
  throw invalid(`no 'moov'`);
}

function tracksIn(moov: Buffer, start: number): FileTracks {
  const root = { start, end: moov.length };
  const tracks = [...children(moov, start, moov.length)].flatMap((trak) => {
    const handler = handlerOf(moov, trak);
    if (handler === null) return [];
    const mdia = requiredChild(moov, trak, 'mdia');
    const stbl = requiredChild(moov, requiredChild(moov, mdia, 'minf'), 'stbl');
    const stsd = requiredChild(moov, stbl, 'stsd');
    const [entry] = stsd.end - stsd.start < 8 ? [] : [...children(moov, stsd.start + 8, stsd.end)];
    const kind: TrackKind = kinds[handler] ?? 'other';
    return [{ kind, codec: printable(entry?.type ?? '?') }];
  });
  return { isFragmented: child(moov, root, 'mvex') !== null, tracks };
}
