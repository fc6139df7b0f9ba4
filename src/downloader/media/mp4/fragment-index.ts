import type { ByteSource } from '../contracts.ts';
import { invalid, printable, readBoxHeader } from './boxes.ts';
import { maxFragmentBytes, maxFragments, readFragment, type SampleDefaults } from './fragment.ts';
import { maxAacFrameBytes, maxSamples, type SampleTable } from './sample-table.ts';

/** More than six hours of sound. */
const maxFileBytes = 512 * 1024 * 1024;

export interface FragmentIndexRequest {
  readonly source: ByteSource;
  /** The file's first bytes. */
  readonly head: Buffer;
  /** Offset of its first fragment. */
  readonly start: number;
  readonly trackId: number;
  /** One for each track of the file. */
  readonly defaults: ReadonlyMap<number, SampleDefaults>;
  readonly signal: AbortSignal;
}

/**
 * Finds the frames of a fragmented sound by reading the file once, from its first fragment to its end: for a file with
 * sound only that is hardly more than its frames, and one request instead of one for each fragment. Holds at most one
 * `moof` and the frames' positions.
 * @returns the frames in file order, and the number of bytes read beside the head
 * @throws Failure `media_invalid` for fragments with a false size, or frames that overlap or lie outside their `mdat`;
 *   `media_unavailable`, or the signal's reason
 */
export async function readFragmentIndex(
  request: FragmentIndexRequest,
): Promise<{ readonly samples: SampleTable; readonly bytesRead: number }> {
  const { source, head, start, trackId, defaults, signal } = request;
  if (source.size !== null && source.size > maxFileBytes) throw invalid(`a sound of ${source.size} bytes`);
  const reader = new StreamReader(head, start, (from) => source.stream(from, null, signal));
  const frames = new GrowingTable();
  let [at, fragments] = [start, 0];
  /** Positions of the last `moof`'s frames, until their `mdat` arrives. */
  let missing: { start: number; end: number } | null = null;
  try {
    for (let header = await reader.header(); header !== null; header = await reader.header()) {
      const { type, headerLength, size, bytes } = header;
      const end: number = size === null ? (source.size ?? Number.NaN) : at + size;
      if (!(end >= at + headerLength && end <= (source.size ?? maxFileBytes)))
        throw invalid(`'${printable(type)}' ends at ${end}`);
      if (type === 'moof') {
        fragments += 1;
        if (missing !== null) throw invalid(`a fragment's frames are missing before ${at}`);
        if (end - at > maxFragmentBytes || fragments > maxFragments)
          throw invalid(`fragment ${fragments} of ${end - at} bytes`);
        const moof = Buffer.concat([bytes, await reader.read(end - at - bytes.length)]);
        missing = frames.add(readFragment(moof, headerLength, at, defaults).tracks, trackId);
      } else {
        if (type === 'mdat' && missing !== null) {
          if (missing.start < at + headerLength || missing.end > end)
            throw invalid(`frames from ${missing.start} to ${missing.end}, media from ${at} to ${end}`);
          missing = null;
        }
        await reader.skip(end - at - bytes.length);
      }
      at = end;
    }
  } finally {
    await reader.close();
  }
  if (missing !== null) throw invalid(`a fragment's frames are missing at the end`);
  return { samples: frames.table(), bytesRead: reader.bytesRead };
}

/** Frames of fragments, in the order in which they are played. */
class GrowingTable {
  #offsets = new Float64Array(1024);
  #sizes = new Uint32Array(1024);
  #count = 0;
  #bytes = 0;

  /** @returns the span of the frames; null when there are none */
  add(
    tracks: ReturnType<typeof readFragment>['tracks'],
    trackId: number,
  ): { start: number; end: number } | null {
    const span = { start: Number.POSITIVE_INFINITY, end: 0 };
    for (const track of tracks) {
      for (const run of track.trackId === trackId ? track.runs : []) {
        if (run.count === 0) continue;
        if (this.#count + run.count > maxSamples) throw invalid(`more than ${maxSamples} frames`);
        let offset = run.start;
        for (let n = 0; n < run.count; n++) {
          const size = run.sizeOf(n);
          this.#push(offset, size);
          offset += size;
        }
        span.start = Math.min(span.start, run.start);
        span.end = Math.max(span.end, run.end);
      }
    }
    return span.end === 0 ? null : span;
  }

  table(): SampleTable {
    const [offsets, sizes] = [this.#offsets.slice(0, this.#count), this.#sizes.slice(0, this.#count)];
    return { count: this.#count, offsets, sizes, bytes: this.#bytes };
  }

  #push(offset: number, size: number): void {
    if (size > maxAacFrameBytes) throw invalid(`a frame of ${size} bytes`);
    if (this.#count === this.#sizes.length) {
      const [offsets, sizes] = [this.#offsets, this.#sizes];
      this.#offsets = new Float64Array(2 * offsets.length);
      this.#sizes = new Uint32Array(2 * sizes.length);
      this.#offsets.set(offsets);
      this.#sizes.set(sizes);
    }
    this.#offsets[this.#count] = offset;
    this.#sizes[this.#count] = size;
    this.#count += 1;
    this.#bytes += size;
  }
}

/** Consecutive bytes: those already present, then those of a stream. */
class StreamReader {
  /** Read from the stream. */
  bytesRead = 0;
  #held: Buffer;
  readonly #rest: AsyncIterator<Uint8Array>;

  constructor(head: Buffer, start: number, stream: (from: number) => AsyncIterable<Uint8Array>) {
    this.#held = head.subarray(start);
    this.#rest = stream(Math.max(start, head.length))[Symbol.asyncIterator]();
  }

  /** The header of the next box; null at the end. @throws Failure `media_invalid` when it is cut off */
  async header(): Promise<(NonNullable<ReturnType<typeof readBoxHeader>> & { bytes: Buffer }) | null> {
    if (!(await this.#hold(8))) {
      if (this.#held.length > 0) throw invalid('box header cut off');
      return null;
    }
    if (this.#held.readUInt32BE(0) === 1 && !(await this.#hold(16))) throw invalid('box header cut off');
    const header = readBoxHeader(this.#held, 0);
    if (header === null) throw invalid('box header cut off');
    return { ...header, bytes: await this.read(header.headerLength) };
  }

  async read(length: number): Promise<Buffer> {
    if (!(await this.#hold(length))) throw invalid('box cut off');
    const bytes = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return bytes;
  }

  async skip(length: number): Promise<void> {
    let left = length;
    for (; left > this.#held.length; ) {
      left -= this.#held.length;
      this.#held = Buffer.alloc(0);
      if (!(await this.#more())) throw invalid('box cut off');
    }
    this.#held = this.#held.subarray(left);
  }

  async close(): Promise<void> {
    await this.#rest.return?.();
  }

  /** Whether so many bytes are present. */
  async #hold(length: number): Promise<boolean> {
    while (this.#held.length < length) if (!(await this.#more())) return false;
    return true;
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#rest.next();
    if (done) return false;
    this.bytesRead += value.length;
    this.#held = this.#held.length === 0 ? viewOf(value) : Buffer.concat([this.#held, value]);
    return true;
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
