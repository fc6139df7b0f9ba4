import type { PromotedPicture as MadePicture } from './pictures/promoted-pictures.ts';

interface PromotedPictureProps {
  readonly picture: Pick<MadePicture, 'id' | 'widths'>;
  /** The displayed size, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Its alternative text; empty beside an equivalent text. */
  readonly alt: string;
}

/** A picture in its prepared sizes and formats; its space is reserved before it loads. */
export function PromotedPicture({ picture: { id, widths }, width, height, alt }: PromotedPictureProps) {
  const sizes = `${width}px`;
  const srcSet = (format: string) =>
    widths.map((made) => `/pictures/${id}-${made}.${format} ${made}w`).join(', ');
  return (
    <picture>
      <source type="image/avif" srcSet={srcSet('avif')} sizes={sizes} />
      <source type="image/webp" srcSet={srcSet('webp')} sizes={sizes} />
      <img
        src={`/pictures/${id}-${widths[0]}.jpg`}
        srcSet={srcSet('jpg')}
        sizes={sizes}
        alt={alt}
        width={width}
        height={height}
        decoding="async"
        draggable={false}
      />
    </picture>
  );
}
