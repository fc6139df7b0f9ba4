import { type FormatId, startWith, useStart } from '../../../browser/device/one-tap.ts';
import { useMounted } from '../../../browser/mounted.ts';
import { Icon } from '../../../ui/icon.tsx';
import { isSound } from '../files/choose-options.ts';
import { PostPicture } from '../files/post-picture.tsx';
import type { Formats } from '../introduction/introduction.ts';

/** The ferry's position: at the link box, fetching the post, or returning with it. */
export type Voyage = 'waiting' | 'sailing' | 'landed';

interface SceneProps {
  voyage: Voyage;
  /** Cover of the found post; null when it has none, and before. */
  cover: string | null;
  isSound: boolean;
}

/** The water below the link box; once a link is on its way the ferry, along the edge of the card that it becomes. */
export function Scene({ voyage, cover, isSound }: SceneProps) {
  return (
    <div className={`scene scene-${voyage}`}>
      <Water className="scene-swell" />
      {voyage !== 'waiting' && (
        <div className="scene-stage">
          <div className="scene-boat">
            <div className="scene-float">
              {voyage === 'landed' && (
                <div className={isSound ? 'scene-cargo scene-cargo-sound' : 'scene-cargo'}>
                  <PostPicture src={cover} sign={isSound ? 'music' : 'play'} alt="" width={90} height={120} />
                </div>
              )}
              <Boat />
            </div>
          </div>
        </div>
      )}
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

const kindOf = (id: FormatId) => (id === 'photos' ? 'photos' : isSound(id) ? 'sound' : 'video');

/**
 * The ferry, moored at the link box, and the crates that it can bring. A pressed crate is the one that is saved as soon
 * as a post is found. Without scripts they only say what there is.
 */
export function Dock({ formats }: { formats: Formats }) {
  const isMounted = useMounted();
  const start = useStart();
  return (
    <div className="dock">
      <Boat />
      <ul className="crates" aria-label={formats.label}>
        {formats.entries.map(({ name, id }) => (
          <li key={id} className={`crate crate-${kindOf(id)}`}>
            {isMounted ? (
              <button
                type="button"
                aria-pressed={start === id}
                onClick={() => startWith(start === id ? null : id)}
              >
                {start === id && <Icon name="check" />}
                <bdi>{name}</bdi>
              </button>
            ) : (
              <bdi>{name}</bdi>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The site's ferry from the side, its bow to the right; its load is on the open deck behind the bow. */
function Boat() {
  return (
    <svg className="boat" viewBox="0 0 200 112" aria-hidden="true" focusable="false">
      <path className="boat-line" d="M180 78V46" />
      <path className="boat-signal" d="M180 45h17l-5 5 5 5h-17z" />
      <path
        className="boat-house"
        d="M22 78V54a4 4 0 0 1 4-4h48a4 4 0 0 1 4 4v24zM32 50V36a4 4 0 0 1 4-4h28l8 18z"
      />
      <path className="boat-funnel" d="M36 32l3-20h15l3 20z" />
      <path className="boat-signal" d="M37.800 20h17.400l1.200 7h-19.800z" />
      <path
        className="boat-window"
        d="M40 37h6v8h-6zm11 0h10l3.500 8H51zM30 58h6v6h-6zm12 0h6v6h-6zm12 0h6v6h-6zm12 0h6v6h-6z"
      />
      <path className="boat-hull" d="M8 78h184c-3 13-10 23-20 30H30C18 103 10 92 8 78z" />
      <path className="boat-signal" d="M10.500 86.500h178.300l-2 5H12.700z" />
    </svg>
  );
}
