import { type RefObject, useEffect } from 'react';

/** Times a picture that did not arrive is asked for again. */
const attempts = 1;

type PictureState = 'loading' | 'loaded' | 'error';

/**
 * Follows the pictures of a text, which the browser itself loads as they come near: `data-state` says how each fares,
 * and one that did not arrive is asked for once more.
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
      // Failed before the page's scripts ran; what is still far away is complete without an address of its own.
      else if (picture.currentSrc !== '') fail();
    }
    return () => listening.abort();
  }, [text]);
}
