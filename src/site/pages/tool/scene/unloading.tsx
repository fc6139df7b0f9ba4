import { useLocale } from '../../../translation.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { formatBytes } from '../files/sizes.ts';
import type { Formats } from '../introduction/introduction.ts';
import { Boat } from './boat.tsx';

type Kind = Formats['entries'][number]['kind'];

const signs: Readonly<Record<Kind, IconName>> = { video: 'download', sound: 'music', photos: 'images' };

interface Example {
  readonly about: string;
  /** Null when no button knows it in advance. */
  readonly bytes: number | null;
}

/** Sample labels of a clip of half a minute: resolution or bit rate, and size. */
const examples: Readonly<Record<string, Example>> = {
  'MP4 720p': { about: '720 × 1280', bytes: 4_200_000 },
  HD: { about: '1080 × 1920', bytes: 7_900_000 },
  MP3: { about: '128 kbps', bytes: 480_000 },
};
/** For a slideshow: it is packed while it is sent. */
const album: Example = { about: 'ZIP', bytes: null };

/** A result, drawn: the ferry above the card, and the files that come off it. Beside words that say the same. */
export function Unloading({ formats }: { formats: Formats }) {
  const locale = useLocale();
  return (
    <div className="unloading" aria-hidden="true">
      <Boat />
      <div className="unloading-card">
        <div className="unloading-post">
          <span className="unloading-cover">
            <Icon name="play" />
          </span>
          <span className="unloading-lines">
            <span />
            <span />
            <span />
          </span>
        </div>
        {formats.entries.map(({ name, kind }) => {
          const { about, bytes } = examples[name] ?? album;
          return (
            <span key={name} className={`unloading-file unloading-${kind}`}>
              <Icon name={signs[kind]} />
              <strong>
                <bdi>{name}</bdi>
              </strong>
              <bdi>{about}</bdi>
              {bytes !== null && <bdi>{formatBytes(bytes, locale)}</bdi>}
            </span>
          );
        })}
      </div>
    </div>
  );
}
