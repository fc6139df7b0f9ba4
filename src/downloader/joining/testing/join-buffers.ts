import { BufferSource } from '../../media/testing/buffer-source.ts';
import { JoinedFlow } from '../joined-flow.ts';
import type { Layout } from '../layouts/layout.ts';
import { layOut } from '../open-joined-video.ts';
import type { Part } from '../pieces.ts';
import { readPart } from '../read-part.ts';
import { BufferFeed, taken } from './buffer-feed.ts';

const { signal } = new AbortController();

/** Two files in memory, joined like those on media servers. */
export interface JoinedBuffers {
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
