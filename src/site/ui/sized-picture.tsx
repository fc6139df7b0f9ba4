import type { ImgHTMLAttributes } from 'react';

interface SizedPictureProps extends ImgHTMLAttributes<HTMLImageElement> {
  /** Its files are `/pictures/{id}-{width}.{format}`; widths in pixels. */
  readonly picture: { readonly id: string; readonly widths: readonly number[] };
  readonly sizes: string;
  readonly alt: string;
}

/** A picture in the sizes and formats that were made of it. */
export function SizedPicture({ picture: { id, widths }, sizes, alt, ...img }: SizedPictureProps) {
  const srcSet = (format: string) =>
    widths.map((width) => `/pictures/${id}-${width}.${format} ${width}w`).join(', ');
  return (
    <picture>
      <source type="image/avif" srcSet={srcSet('avif')} sizes={sizes} />
      <source type="image/webp" srcSet={srcSet('webp')} sizes={sizes} />
      <img
        src={`/pictures/${id}-${widths[0]}.jpg`}
        srcSet={srcSet('jpg')}
        sizes={sizes}
        alt={alt}
        decoding="async"
        {...img}
      />
    </picture>
  );
}
