import { BufferSource } from '../../media/testing/buffer-source.ts';
import { releaseChunk } from '../../network/memory.ts';
import type { Feed } from '../feed.ts';
import { readPart } from '../join-part.ts';
import type { Layout, Part } from '../layouts/layout.ts';
import { layOut } from '../open-joined-video.ts';
import { JoinedFlow } from '../open-laid-out.ts';

const { signal } = new AbortController();

/** Two files in memory, joined like those on media servers. */
interface JoinedBuffers {
  readonly layout: Layout;
  /** Its bytes; to the end when `end` is null. */
  read(start?: number, end?: number | null): Promise<Buffer>;
}

/** @throws Failure `media_invalid` */
export async function joinBuffers(files: Readonly<Record<Part, Buffer>>): Promise<JoinedBuffers> {
  const open = async () => {
    const [picture, sound] = await Promise.all([
      readPart(new BufferSource(files.picture), files.picture.subarray(0, 65_536), 'vide', signal),
      readPart(new BufferSource(files.sound), files.sound.subarray(0, 65_536), 'soun', signal),
    ]);
    return layOut(picture, sound);
  };
  return {
    layout: await open(),
    async read(start = 0, end = null) {
      const layout = await open();
      const until = end ?? layout.size;
      const feedOf = (part: Part) => {
        const span = layout.spanOf(part, start, until);
        return span && new BufferFeed(files[part].subarray(0, span.end ?? files[part].length), span.start);
      };
      const feeds = { picture: feedOf('picture'), sound: feedOf('sound') };
      const { size } = layout;
      return taken(new JoinedFlow({ ...layout.piecesFrom(start, feeds), feeds, start, end: until, size }));
    },
  };
}

/** A file in memory as a feed; some takes give nothing, and some a part of what is asked for. */
export class BufferFeed implements Feed {
  position: number;
  readonly resumes = 0;
  readonly #bytes: Buffer;
  readonly #pieceBytes: number;
  #turn = 0;

  constructor(bytes: Buffer, start = 0, pieceBytes = 50) {
    this.#bytes = bytes;
    this.position = start;
    this.#pieceBytes = pieceBytes;
  }

  isOver(): boolean {
    return this.position >= this.#bytes.length;
  }

  take(most: number): Buffer | null {
    if (this.position + most > this.#bytes.length) throw new Error('past the end');
    this.#turn = (this.#turn + 1) % 3;
    if (this.#turn === 0) return null;
    return this.#take(this.#turn === 1 ? Math.min(most, this.#pieceBytes) : most);
  }

  async fill(): Promise<void> {}

  #take(length: number): Buffer {
    // In separate memory, like pieces of bodies.
    const taken = Buffer.allocUnsafeSlow(length);
    this.#bytes.copy(taken, 0, this.position);
    this.position += length;
    return taken;
  }

  async skipTo(offset: number): Promise<void> {
    if (offset < this.position) throw new Error(`back from ${this.position} to ${offset}`);
    this.position = offset;
  }

  stop(): void {}
}

/** Collects the bytes of a flow as a client does: it frees the memory of each piece before it reads the next. */
export async function taken(flow: JoinedFlow): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let chunk = await flow.next(); chunk !== null; chunk = await flow.next()) {
    chunks.push(Buffer.from(chunk));
    releaseChunk(chunk);
  }
  return Buffer.concat(chunks);
}
