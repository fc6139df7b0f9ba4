import { asFailure } from '../../failures/failures.ts';
import { withTimeLimit } from '../async/time-limit.ts';
import type { ByteSource } from '../media/contracts.ts';
import { listTracks } from '../media/mp4/list-tracks.ts';
import { Mp4IndexCache } from '../media/mp4-index-cache.ts';
import type { ChosenVideo } from '../post/choose-files.ts';
import type { MediaSource, Post } from '../post/post.ts';
import { createFileChooser } from './file-choice.ts';

type OpenSource = (source: MediaSource) => ByteSource;

const limitMs = 10_000;

/**
 * Describes each offered file of a video by its own boxes, for operators, a line each; for joined files, the
 * content of both.
 * @returns `mp4-hd 1080x1920 hvc1 fragmented, joined with mp4a`; empty for slideshows
 * @throws the signal's reason
 */
export async function describeFiles(
  post: Post,
  openSource: OpenSource,
  signal: AbortSignal,
): Promise<string[]> {
  if (post.kind === 'photos') return [];
  const movies = new Mp4IndexCache();
  const chooser = createFileChooser({ openSource, movies, canEncode: () => true });
  const { default: standard, hd, formats, isUnsupported } = await chooser.choose(post, signal);
  const videos = [
    { name: 'mp4', chosen: standard },
    { name: 'mp4-hd', chosen: hd },
  ];
  const lines = await Promise.all(
    videos.map(({ name, chosen }) =>
      chosen === null ? null : describeVideo(name, chosen, openSource, signal),
    ),
  );
  const sound = formats.length > 0 ? formats.join(' and ') : isUnsupported ? 'not to be had' : 'none';
  return [...lines.filter((line) => line !== null), `sound ${sound}`];
}

async function describeVideo(
  name: string,
  { picture, sound }: ChosenVideo,
  openSource: OpenSource,
  signal: AbortSignal,
): Promise<string> {
  const tracksOf = async (source: MediaSource) => {
    try {
      const { tracks, isFragmented } = await withTimeLimit(limitMs, signal, (limited) =>
        listTracks(openSource(source), limited),
      );
      const codecs = tracks.map(({ codec }) => codec).join(' + ') || 'no tracks';
      return isFragmented ? `${codecs} fragmented` : codecs;
    } catch (thrown) {
      signal.throwIfAborted();
      return asFailure(thrown, 'media_invalid').key;
    }
  };
  const sources = sound === null ? [picture.source] : [picture.source, sound.source];
  const files = await Promise.all(sources.map(tracksOf));
  return `${name} ${picture.width}x${picture.height} ${files.join(', joined with ')}`;
}
