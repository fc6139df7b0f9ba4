import { type ImgHTMLAttributes, useCallback, useState } from 'react';
import { Icon, type IconName } from '../../ui/icon.tsx';

interface PostPictureProps extends Omit<ImgHTMLAttributes<HTMLImageElement>, 'src' | 'onError'> {
  /** Null where the post has none. */
  src: string | null;
  /** Stands in for a picture that is missing or cannot be had: the platform's covers expire, and fail often. */
  sign: IconName;
}

/** A picture of a post, or a sign in its place. */
export function PostPicture({ src, sign, ...rest }: PostPictureProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const attach = useCallback(
    (image: HTMLImageElement | null) => {
      // It may have failed before the scripts came that would have heard of it.
      if (image?.complete === true && image.naturalWidth === 0) setFailed(src);
    },
    [src],
  );
  if (src === null || src === failed) return <Icon name={sign} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: a failure to load is no interaction
    <img {...rest} ref={attach} src={src} decoding="async" onError={() => setFailed(src)} />
  );
}
