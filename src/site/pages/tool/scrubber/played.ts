import { type RefObject, useEffect } from 'react';

/**
 * Follows a playing sound or video from frame to frame of the screen.
 * @param onFrame called with the position, and with null when paused
 */
export function usePlayed(
  media: RefObject<HTMLMediaElement | null>,
  isPlaying: boolean,
  onFrame: (ms: number | null) => void,
): void {
  useEffect(() => {
    if (!isPlaying) return;
    let frame = requestAnimationFrame(function follow() {
      if (media.current === null) return;
      onFrame(media.current.currentTime * 1000);
      frame = requestAnimationFrame(follow);
    });
    return () => {
      cancelAnimationFrame(frame);
      onFrame(null);
    };
  }, [media, isPlaying, onFrame]);
}
