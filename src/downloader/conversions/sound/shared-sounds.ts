import { LRUCache } from 'lru-cache';
import { SingleFlight } from '../../async/single-flight.ts';
import type { ByteSource } from '../../media/contracts.ts';
import { type SniffedSound, sniffSound } from '../../media/sniff-sound.ts';
import { planSound } from '../../media/sound-plan.ts';
import type { MediaSource } from '../../post/post.ts';

/** Bound for all cached sounds together; those being fetched come on top. */
const mostBytes = 32 * 2 ** 20;
/** Tables of sounds, as `Mp4IndexCache` counts them. */
const mostTableBytes = 24 * 2 ** 20;
const sampleBytes = 12;
const entryBytes = 1024;
/** Bytes that are fetched at once. A cut needs a part of its first and last piece. */
const pieceBytes = 128 * 1024;
/** Pieces of one reading. */
const mostPieces = 8;
/** Streams up to this length are kept as a whole. */
const mostStreamed = 4 * 2 ** 20;

interface KnownSound {
  /** Tells its pieces from those of others. */
  readonly number: number;
  readonly sound: SniffedSound;
  readonly size: number | null;
  /** Where pieces begin and end: a cut must not fetch the picture between two runs of the sound. */
  readonly edges: readonly number[];
}

/** The last edge at or before an offset, and the first behind it. */
function between(edges: readonly number[], offset: number): readonly [number, number] {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edges[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return [edges[low - 1] ?? 0, edges[low] ?? Number.POSITIVE_INFINITY];
}

/**
 * The bytes that cuts of recently cut sounds have in common. Each piece of a sound is fetched once, however many cuts
 * are made of it, and two cuts that need it at the same time share one request.
 */
export class SharedSounds {
  /** Keyed by source object: a post that is read again has other sources. */
  readonly #known = new LRUCache<MediaSource, KnownSound>({
    maxSize: mostTableBytes,
    sizeCalculation: ({ sound, edges }) =>
      entryBytes +
      edges.length * 8 +
      (sound.kind === 'mp4' ? sound.movie.head.length + sound.movie.sound.samples.count * sampleBytes : 0),
  });
  readonly #pieces = new LRUCache<string, Buffer>({
    maxSize: mostBytes,
    sizeCalculation: ({ length }) => length + 1,
  });
  readonly #fetches = new SingleFlight<Buffer>();
  #number = 0;

  /**
   * A sound whose pieces are shared with its other cuts.
   * @param source opened for this cut; is asked for what is not known
   * @param known what was found of it before; null to look
   * @throws as {@link sniffSound}
   */
  async open(
    media: MediaSource,
    source: ByteSource,
    known: SniffedSound | null,
    signal: AbortSignal,
  ): Promise<{ readonly source: ByteSource; readonly sound: SniffedSound }> {
    let entry = this.#known.get(media);
    if (entry === undefined) {
      const sound = known ?? (await sniffSound(source, signal));
      const runs = sound.kind === 'mp4' ? planSound(sound.movie, { latencyMs: 0 }).runs : [];
      const edges = runs.flatMap(({ start, end }) => [start, end]);
      entry = { number: this.#number++, sound, size: source.size, edges };
      this.#known.set(media, entry);
    }
    return { source: this.#share(entry, source), sound: entry.sound };
  }

  #piece(
    name: string,
    signal: AbortSignal,
    fetch: (signal: AbortSignal) => Promise<Buffer>,
  ): Promise<Buffer> {
    const kept = this.#pieces.get(name);
    if (kept !== undefined) return Promise.resolve(kept);
    return this.#fetches.run(name, signal, async (inner) => {
      const bytes = await fetch(inner);
      this.#pieces.set(name, bytes);
      return bytes;
    });
  }

  #share({ number, size, edges }: KnownSound, source: ByteSource): ByteSource {
    const read = async (offset: number, length: number, signal: AbortSignal): Promise<Buffer> => {
      const end = Math.min(offset + length, source.size ?? size ?? Number.POSITIVE_INFINITY);
      // A sound without tables is read at once.
      if (length > mostPieces * pieceBytes)
        return this.#piece(`${number} ${offset} ${length} whole`, signal, (inner) =>
          source.read(offset, length, inner),
        );
      const pieces: { readonly from: number; readonly bytes: Promise<Buffer> }[] = [];
      for (let at = offset; at < end; ) {
        const [low, high] = between(edges, at);
        const from = low + Math.floor((at - low) / pieceBytes) * pieceBytes;
        const next = Math.min(high, from + pieceBytes);
        const bytes = this.#piece(`${number} ${from} ${next}`, signal, (inner) =>
          source.read(from, next - from, inner),
        );
        pieces.push({ from, bytes });
        at = next;
      }
      const joined = Buffer.concat(await Promise.all(pieces.map(({ bytes }) => bytes)));
      const start = offset - (pieces[0]?.from ?? offset);
      return joined.subarray(start, start + length);
    };
    async function* streamed(this: SharedSounds, start: number, end: number, signal: AbortSignal) {
      yield await this.#piece(`${number} ${start} ${end} streamed`, signal, async (inner) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of source.stream(start, end, inner)) chunks.push(chunk);
        return Buffer.concat(chunks);
      });
    }
    return {
      get size() {
        return source.size ?? size;
      },
      get hasRanges() {
        return source.hasRanges;
      },
      read,
      stream: (start, wantedEnd, signal) => {
        const end = wantedEnd ?? source.size ?? size;
        return end === null || end - start > mostStreamed
          ? source.stream(start, wantedEnd, signal)
          : streamed.call(this, start, end, signal);
      },
      whole: (signal) => source.whole(signal),
    };
  }
}
