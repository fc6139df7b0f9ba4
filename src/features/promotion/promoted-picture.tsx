import type { PromotedPicture as MadePicture } from './pictures/promoted-pictures.ts';

interface PromotedPictureProps {
  readonly picture: Pick<MadePicture, 'id' | 'widths'>;
  /** As it is shown, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** What it says; empty where it stands beside a text that says the same. */
  readonly alt: string;
}

/** A picture in the sizes and formats that were made of it; it takes its room before it is there. */
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
