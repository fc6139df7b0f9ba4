import { type RefObject, useEffect } from 'react';

/** Retries of a picture that failed to load. */
const attempts = 1;

type PictureState = 'loading' | 'loaded' | 'error';

/**
 * Tracks the lazily loaded pictures of a text: `data-state` shows the state of each, and a failed one is requested once
 * more.
 */
export function useLazyPictures(text: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    for (const picture of text.current?.querySelectorAll('img') ?? []) {
      let left = attempts;
      const become = (state: PictureState) => {
        picture.dataset.state = state;
      };
      const fail = () => {
        if (left === 0) return become('error');
        left -= 1;
        become('loading');
        // The same address again is a new request.
        picture.src = picture.getAttribute('src') ?? '';
      };
      picture.addEventListener('load', () => become('loaded'), { signal });
      picture.addEventListener('error', fail, { signal });
      if (!picture.complete) become('loading');
      else if (picture.naturalWidth > 0) become('loaded');
      // It failed before the page's scripts ran; a distant lazy picture is `complete` without a `currentSrc`.
      else if (picture.currentSrc !== '') fail();
    }
    return () => listening.abort();
  }, [text]);
}
