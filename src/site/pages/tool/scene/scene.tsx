import { PostPicture } from '../files/post-picture.tsx';
import type { Formats } from '../introduction/introduction.ts';
import { Boat } from './boat.tsx';

/** The ferry's position: waiting for a link, fetching the post, or returning with it. */
export type Voyage = 'waiting' | 'sailing' | 'landed';

interface SceneProps {
  voyage: Voyage;
  /** Of the fetched post; null when it has none, and before. */
  cover: string | null;
  formats: Formats;
}

/** Shows the result on the water between the link box and the result: the ferry, and beside it its load. */
export function Scene({ voyage, cover, formats }: SceneProps) {
  return (
    <div className={`scene scene-${voyage}`}>
      <Water className="scene-swell" />
      <div className="scene-stage">
        <ul className="scene-formats" aria-label={formats.label}>
          {formats.entries.map(({ name, kind }) => (
            <li key={name} className={`scene-${kind}`}>
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
        <div className="scene-boat">
          <div className="scene-float">
            <Cargo voyage={voyage} cover={cover} isSound={formats.isSound} />
            <Boat />
          </div>
        </div>
      </div>
      <Water className="scene-water" />
      <svg
        className="hero-wave"
        viewBox="0 0 1440 60"
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        <path d="M0 34C180 62 300 4 520 18s340 42 560 28 240-34 360-22v36H0Z" />
      </svg>
    </div>
  );
}

/** A sample picture, none while the ferry is sailing, then the post's own. */
function Cargo({ voyage, cover, isSound }: Pick<SceneProps, 'voyage' | 'cover'> & { isSound: boolean }) {
  if (voyage === 'sailing') return null;
  return (
    <div className={isSound ? 'scene-cargo scene-cargo-sound' : 'scene-cargo'} key={voyage}>
      <PostPicture src={cover} sign={isSound ? 'music' : 'play'} alt="" width={90} height={120} />
    </div>
  );
}

/** Waves from one edge of the screen to the other, and one more that comes in from outside while they move. */
function Water({ className }: { className: string }) {
  return (
    <svg className={className} aria-hidden="true" focusable="false">
      <pattern id={className} width="96" height="400" patternUnits="userSpaceOnUse">
        <path d="M0 10C16 2 32 2 48 10s32 8 48 0v390H0z" />
      </pattern>
      <rect width="100%" height="100%" fill={`url(#${className})`} />
    </svg>
  );
}
