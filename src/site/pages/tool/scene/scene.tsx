import { PostPicture } from '../files/post-picture.tsx';
import { Boat } from './boat.tsx';

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
