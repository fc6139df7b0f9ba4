import { Failure, isOfOneFile } from '../../failures/failures.ts';
import { asDiskFailure } from './scratch.ts';

/**
 * The sound of a slideshow's video; null when it cannot be had or read, since its pictures are worth a video alone.
 * @throws what says more than that of the post or of this machine (`post_gone`, `storage_full` …), or the signal's reason
 */
export async function soundOrNone<Sound>(
  read: () => Promise<Sound>,
  signal: AbortSignal,
): Promise<Sound | null> {
  try {
    return await read();
  } catch (thrown) {
    signal.throwIfAborted();
    if (isOfSound(asDiskFailure(thrown))) return null;
    throw thrown;
  }
}

/** The post was read a moment ago: that it cannot be read again only means that there are no fresh addresses. */
const isOfSound = (thrown: unknown) =>
  isOfOneFile(thrown) ||
  (thrown instanceof Failure &&
    (thrown.key.startsWith('platform_') || /^conversion_(?:failed|timeout)$/.test(thrown.key)));
