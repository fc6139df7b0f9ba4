import { Failure } from '../../failures/failures.ts';
import type { RefreshSource } from '../posts/fresh-source.ts';
import type { MediaSource } from '../posts/post.ts';
import type { OpenedVideo, VideoRequest } from '../streaming/video.ts';

/** One of the two files that are joined. */
interface JoinPart {
  readonly source: MediaSource;
  readonly refresh?: RefreshSource;
}

/** A picture and its sound for a client. */
export type JoinedVideoRequest = Omit<VideoRequest, 'source' | 'refresh'> & {
  readonly picture: JoinPart;
  readonly sound: JoinPart;
};

/**
 * Opens a picture and its sound as one video.
 * @throws Failure `media_unavailable`
 */
export async function openJoinedVideo(_request: JoinedVideoRequest): Promise<OpenedVideo> {
  throw new Failure('media_unavailable', { note: 'picture and sound cannot be joined' });
}
