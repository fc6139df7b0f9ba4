import { type ImgHTMLAttributes, useCallback, useState } from 'react';
import { Icon, type IconName } from '../../../ui/icon.tsx';

interface PostPictureProps extends Omit<ImgHTMLAttributes<HTMLImageElement>, 'src' | 'alt' | 'onError'> {
  /** Null when the post has none. */
  src: string | null;
  /** Replaces a missing or failed picture: the platform's covers expire, and fail often. */
  sign: IconName;
  alt: string;
}

/** A picture of a post, or a sign in its place. */
export function PostPicture({ src, sign, alt, ...rest }: PostPictureProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const attach = useCallback(
    (image: HTMLImageElement | null) => {
      // It may have failed before the scripts came that would have heard of it.
      if (image?.complete === true && image.naturalWidth === 0) setFailed(src);
    },
    [src],
  );
  if (src === null || src === failed) return <Icon name={sign} />;
  return <img {...rest} alt={alt} ref={attach} src={src} decoding="async" onError={() => setFailed(src)} />;
}
