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
      // The picture may have failed before this script could listen for it.
      if (image?.complete === true && image.naturalWidth === 0) setFailed(src);
    },
    [src],
  );
  if (src === null || src === failed) return <Icon name={sign} />;
  return <img {...rest} alt={alt} ref={attach} src={src} decoding="async" onError={() => setFailed(src)} />;
}
